import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MemoryKeychain } from '#test/support/memory-keychain.ts'
import { coreKit, createProfile, noService, type OpenCore } from './core-kit.ts'

const kit = coreKit()
const keychain = kit.ports.keychain as MemoryKeychain
let open: OpenCore

beforeAll(async () => {
  open = await kit.open({ openService: noService, fetch: globalThis.fetch })
  await createProfile(open)
})
afterAll(async () => {
  await open.core.close()
  kit.remove()
})

describe('addresses', () => {
  test('are https, or http to this machine alone, and carry no key', async () => {
    const refused = [
      'http://speech.example/v1',
      'https://user:secret@speech.example/v1',
      'https://speech.example/v1?key=secret',
      'ftp://speech.example',
    ]
    for (const speech_address of refused) {
      await expect(open.call('settings.update', { speech_address })).rejects.toMatchObject({
        code: 'validation-failed',
        fields: [{ pointer: '/speech_address' }],
      })
    }
    const kept = async (speech_address: string) => (await open.call('settings.update', { speech_address })).speech_address
    expect(await kept('http://127.0.0.1:8000')).toBe('http://127.0.0.1:8000/v1')
    expect(await kept('http://localhost:8000/v1/')).toBe('http://localhost:8000/v1')
    expect(await kept('https://speech.example/openai/v1')).toBe('https://speech.example/openai/v1')
    expect((await open.call('settings.get', {})).speech_address).toBe('https://speech.example/openai/v1')
  })
})

test('a mirror for updates is https, or http to this machine alone, and carries no key', async () => {
  for (const updates_mirror of ['http://mirror.example', 'https://user:secret@mirror.example', 'https://mirror.example/?key=1'])
    await expect(open.call('settings.update', { updates_mirror })).rejects.toMatchObject({
      code: 'validation-failed',
      fields: [{ pointer: '/updates_mirror' }],
    })
  const kept = async (updates_mirror: string | null) => (await open.call('settings.update', { updates_mirror })).updates_mirror
  expect(await kept('https://mirror.example/stable/')).toBe('https://mirror.example/stable')
  expect(await kept('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080')
  expect(await kept(null)).toBeNull()
})

test('a locale is one that Intl knows, and null is the system’s', async () => {
  expect(await open.call('settings.get', {})).toMatchObject({ locale: null })
  for (const locale of ['english', 'en_US', 'xx-XX', ''])
    await expect(open.call('settings.update', { locale })).rejects.toMatchObject({
      code: 'validation-failed',
      fields: [{ pointer: '/locale' }],
    })
  expect(await open.call('settings.update', { locale: 'en-GB' })).toMatchObject({ locale: 'en-GB' })
  expect(await open.call('settings.update', { locale: null })).toMatchObject({ locale: null })
})

test('checking for updates is off until somebody switches it on, and the core installs nothing itself', async () => {
  expect(await open.call('settings.get', {})).toMatchObject({ updates_check: false })
  expect(await open.call('updates.state', {})).toMatchObject({ delivery: 'preview' })
  await expect(open.call('updates.check', {})).rejects.toMatchObject({ code: 'not-offered' })
})

describe('keys', () => {
  test('go to the keychain alone and are never given out again', async () => {
    const settings = await open.call('settings.setKey', { which: 'speech', key: 'sk-quartz-heron' })
    expect(settings).toMatchObject({ speech_has_key: true, service_has_key: false })
    expect([...keychain.accounts.keys()].some((account) => account.startsWith('speech-key/'))).toBe(true)
    expect(JSON.stringify([settings, kit.events])).not.toContain('quartz')
    expect(await open.call('settings.setKey', { which: 'speech', key: null })).toMatchObject({ speech_has_key: false })
    expect([...keychain.accounts.keys()].some((account) => account.startsWith('speech-key/'))).toBe(false)
  })

  test('go to the host they were given for, to no other, and are there again when it is back', async () => {
    const at = (speech_address: string | null) => open.call('settings.update', { speech_address })
    await at(null)
    await open.call('settings.setKey', { which: 'speech', key: 'sk-quartz-heron' })
    expect(await at('https://one.example/v1')).toMatchObject({ speech_has_key: true })
    expect(await at('https://two.example/v1')).toMatchObject({ speech_has_key: false })
    expect(await at('https://one.example:8443/v1')).toMatchObject({ speech_has_key: false })
    expect(await at('https://one.example/other')).toMatchObject({ speech_has_key: true })
    await open.call('settings.setKey', { which: 'speech', key: null })
    await at(null)
  })

  test('are refused where there is no keychain, rather than kept elsewhere', async () => {
    keychain.trouble = 'keychain-unavailable'
    await expect(open.call('settings.setKey', { which: 'service', key: 'aw_live_x' })).rejects.toMatchObject({
      code: 'keychain-unavailable',
    })
    keychain.trouble = null
    expect(await open.call('settings.get', {})).toMatchObject({ service_has_key: false })
  })
})

test('a speech server is asked for its models and never sent sound; what is wrong has a name', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`)
    const body = request.url === '/v1/models' ? '{"object":"list","data":[{"id":"small.en"}]}' : '<html>'
    response.writeHead(request.url === '/refusing/models' ? 401 : 200).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = async (path: string) => {
    await open.call('settings.update', { speech_address: base + path })
    return open.call('settings.testSpeech', {})
  }
  expect(await ask('/v1')).toEqual({ ready: true, hint: null, models: ['small.en'] })
  expect(await ask('/portal')).toEqual({
    ready: false,
    hint: expect.stringContaining('isn’t the address of a speech server'),
    models: [],
  })
  expect(await ask('/refusing')).toMatchObject({ ready: false, hint: expect.stringContaining('key') })
  await new Promise((resolve) => server.close(resolve))
  expect(await ask('/v1')).toMatchObject({ ready: false, hint: expect.stringContaining('didn’t answer') })
  await open.call('settings.update', { speech_address: null })
  expect(await open.call('settings.testSpeech', {})).toMatchObject({ ready: false, hint: expect.stringContaining('address') })
  expect(asked).toEqual(['GET /v1/models ', 'GET /portal/models ', 'GET /refusing/models '])
})

test('a change is broadcast, kept over a restart, and nothing is written where nothing changed', async () => {
  kit.events.length = 0
  await open.call('settings.update', { theme: 'dark', idle_lock_minutes: 5 })
  await open.call('settings.update', { theme: 'dark' })
  expect(kit.events.filter(({ name }) => name === 'settings.changed')).toHaveLength(1)
  await open.core.close()
  open = await kit.open({ openService: noService, fetch: globalThis.fetch })
  expect(await open.call('settings.get', {})).toMatchObject({
    theme: 'dark',
    idle_lock_minutes: 5,
    therapist_name: 'Dr. Ana Ruiz',
  })
})

describe('the draft writer', () => {
  test('is the rules until another is chosen', async () => {
    expect(await open.call('settings.get', {})).toMatchObject({ language_engine: 'rules', language_has_key: false })
  })

  test('can be a model on this laptop beside the project’s folder, and not in the packaged app', async () => {
    const folder = join(kit.folder, 'draft-models')
    expect(await open.call('settings.draftModels', {})).toEqual({
      offered: true,
      installed: expect.any(Boolean),
      folder,
      files: [],
    })
    writeFileSync(join(folder, 'small.gguf'), 'GGUF')
    expect((await open.call('settings.draftModels', {})).files).toEqual([{ name: 'small.gguf', bytes: 4 }])
    await open.core.close()
    open = await kit.open({ openService: noService, is_packaged: true })
    expect(await open.call('settings.draftModels', {})).toEqual({ offered: false, installed: false, folder, files: [] })
    await open.core.close()
    open = await kit.open({ openService: noService, fetch: globalThis.fetch })
  })

  test('has an address of the same kind, and a key of its own in the keychain alone', async () => {
    await expect(open.call('settings.update', { language_address: 'http://models.example/v1' })).rejects.toMatchObject({
      code: 'validation-failed',
      fields: [{ pointer: '/language_address' }],
    })
    const settings = await open.call('settings.update', {
      language_engine: 'server',
      language_address: 'http://127.0.0.1:11434',
      language_context_tokens: 8192,
    })
    expect(settings).toMatchObject({ language_address: 'http://127.0.0.1:11434/v1', language_context_tokens: 8192 })
    await open.call('settings.setKey', { which: 'language', key: 'sk-basalt-wren' })
    expect([...keychain.accounts.keys()].some((account) => account.startsWith('language-key/'))).toBe(true)
    expect(JSON.stringify(kit.events)).not.toContain('basalt')
    await open.call('settings.setKey', { which: 'language', key: null })
  })

  test('is asked for its models with the key, and what to do is said', async () => {
    let seen: string | undefined
    const server = createServer((request, response) => {
      seen = request.headers.authorization
      response.setHeader('content-type', 'application/json').end('{"data":[{"id":"small"},{"id":"large"}]}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const language_address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    try {
      await open.call('settings.update', { language_address, language_model: null })
      await open.call('settings.setKey', { which: 'language', key: 'sk-1' })
      const models = ['small', 'large']
      expect(await open.call('settings.testLanguage', {})).toEqual({ ready: false, hint: 'Choose a model.', models })
      await open.call('settings.update', { language_model: 'gone' })
      expect(await open.call('settings.testLanguage', {})).toMatchObject({ ready: false, models })
      await open.call('settings.update', { language_model: 'large' })
      expect(await open.call('settings.testLanguage', {})).toEqual({ ready: true, hint: null, models })
      expect(seen).toBe('Bearer sk-1')
    } finally {
      server.close()
    }
    expect(await open.call('settings.testLanguage', {})).toMatchObject({ ready: false, models: [] })
  })
})
