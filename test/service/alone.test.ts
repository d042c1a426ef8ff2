import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createServiceClient } from '#client/client.ts'
import type { ServiceClient } from '#client/client.ts'
import { startAlone, freshFolder } from './alone-kit.ts'
import type { Alone } from './alone-kit.ts'
import { expectMode } from '#test/support/file-mode.ts'

let folder: ReturnType<typeof freshFolder>
let service: Alone
beforeEach(async () => {
  folder = freshFolder()
  service = await startAlone(folder.data)
})
afterEach(async () => {
  await service.stop('SIGKILL')
  folder.remove()
})

const clientFor = (token: string | null, address = service.address): ServiceClient =>
  createServiceClient({ base_url: address, fetch, ...(token === null ? {} : { token }) })
const code = (expected: string) => expect.objectContaining({ code: expected })

test('it says where it listens, and the owner’s key once', async () => {
  expect(service.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  expect(service.ownerKey).toMatch(/^aw_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}$/)
  expect(await service.stop()).toBe(0)
  const again = await startAlone(folder.data)
  expect(again.ownerKey).toBeNull()
  expect((await clientFor(service.ownerKey, again.address).call('listClients', {})).status).toBe(200)
  expect(await again.stop('SIGINT')).toBe(0)
})

test('its key lies beside the data, for its owner alone, and a warning names it', () => {
  const path = `${folder.data}.key`
  expectMode(path, 0o600)
  expect(service.stderr).toContain(path)
  expect(readFileSync(join(folder.data, 'service.db')).subarray(0, 6).toString('latin1')).not.toBe('SQLite')
  for (const file of ['service.db', 'service.db-wal']) {
    if (existsSync(join(folder.data, file)))
      expect(readFileSync(join(folder.data, file)).includes(service.ownerKey!.slice(-20))).toBe(false)
  }
})

test('with its key gone it does not start with another', async () => {
  await service.stop()
  renameSync(`${folder.data}.key`, `${folder.data}.lost`)
  await expect(startAlone(folder.data)).rejects.toThrow('cannot be opened')
  await expect(startAlone(folder.data, { AFTERWORD_SERVICE_KEY_FILE: '/nowhere' })).rejects.toThrow('not there')
  const named = await startAlone(folder.data, { AFTERWORD_SERVICE_KEY_FILE: `${folder.data}.lost` })
  expect((await clientFor(service.ownerKey, named.address).call('listClients', {})).status).toBe(200)
  await named.stop()
})

describe('keys', () => {
  const get = (headers: Record<string, string>) => fetch(`${service.address}/clients`, { headers })
  test('none, a mistyped one, one of another store, another scheme: 401 that says how to authenticate', async () => {
    const key = service.ownerKey!
    const mistyped = key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x')
    for (const headers of [
      {},
      { Authorization: `Bearer ${mistyped}` },
      { Authorization: `Basic ${key}` },
      { Authorization: 'Bearer' },
    ]) {
      const response = await get(headers as Record<string, string>)
      // RFC 6750, 3.1: an error is named only where a token was sent.
      const error = headers.Authorization === `Bearer ${mistyped}` ? ', error="invalid_token"' : ''
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, `Bearer realm="afterword"${error}`])
      expect(await response.json()).toMatchObject({ code: 'unauthenticated', type: '/problems/unauthenticated' })
    }
    const other = freshFolder()
    const stranger = await startAlone(other.data)
    expect((await get({ Authorization: `Bearer ${stranger.ownerKey}` })).status).toBe(401)
    await stranger.stop('SIGKILL')
    other.remove()
  })
  test('without one there is the OpenAPI document, and nothing else', async () => {
    expect((await fetch(`${service.address}/openapi.json`)).status).toBe(200)
    expect((await fetch(service.address)).status).toBe(401)
  })
  test('the wrong plan is refused at the start', async () => {
    const other = freshFolder()
    await expect(startAlone(other.data, {}, ['--plan', 'golden'])).rejects.toThrow('usage')
    other.remove()
  })
})

test('the whole of it over HTTP: client, session, note from data, signed', async () => {
  const client = clientFor(service.ownerKey)
  const { data: ana } = await client.call('createClient', { body: { display_name: 'Ana' } })
  const body = { client_id: ana.id, session_type: 'individual' as const, starts_at: '2026-03-01T09:00:00Z', duration_minutes: 50 }
  const { data: session } = await client.call('createSession', { body })
  await expect(client.call('createSession', { body })).rejects.toEqual(code('double-booking'))
  const { data: note, status } = await client.call('generateNoteFromData', {
    body: {
      session_type: 'individual',
      duration_minutes: 50,
      presenting_concerns: ['Work stress'],
      interventions: ['Sleep diary'],
      client_response: 'Found it helpful.',
      session_id: session.id,
    },
  })
  expect([status, note.status, note.client_id]).toEqual([201, 'draft', ana.id])
  expect((await client.call('describeService', {})).data.capabilities).toContain('uploads')
})
