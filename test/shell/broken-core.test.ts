import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { type CoreHost, startCore } from '#shell/core-host.ts'

let folder = ''
let host: CoreHost
const files: Readonly<Record<string, URL>> = {
  'core-thread': new URL('./threads/broken-core.ts', import.meta.url),
  'append-thread': new URL('./threads/slow-append.ts', import.meta.url),
}

function startWith(threads: Readonly<Record<string, URL>>): Promise<CoreHost> {
  const options = {
    folder,
    resources: '',
    shell: 'electron' as const,
    app_version: '0',
    startLocked: false,
    passphraseFile: undefined,
    onEvent: () => {},
  }
  return startCore(options, { fileOf: (name) => threads[name]!, closeTimeout: 300 })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-broken-'))
  host = await startWith(files)
})
afterEach(async () => {
  await host.close()
  rmSync(folder, { recursive: true })
})

const log = (): { event: string; method?: string; kind?: string }[] =>
  readFileSync(join(folder, 'log', 'main.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string })

test('a bug in the core is an answer, and the log has its kind and nothing of its words', async () => {
  const internal = { ok: false, error: { code: 'internal' } }
  expect(await host.call('clients.list', {})).toEqual(internal)
  expect(await host.call('clients.get', {})).toEqual(internal)
  expect(await host.call('clients.create', {})).toEqual(internal)
  expect(await host.call('clients.create', { input: () => 'cannot be cloned' })).toEqual(internal)
  expect(log()).toMatchObject([
    { event: 'host.bug', method: 'clients.list', kind: 'TypeError' },
    { event: 'host.bug', method: 'clients.get', kind: 'Error:ENOENT' },
    { event: 'host.bug', method: 'clients.create', kind: 'DataCloneError' },
    { event: 'host.bug', method: 'clients.create', kind: 'DataCloneError' },
  ])
  expect(readFileSync(join(folder, 'log', 'main.log'), 'utf8')).not.toContain('Maren')
})

test('the core’s thread has the process’s own environment, without which it would keep the time zone of its start', async () => {
  process.env['AFTERWORD_SHARED'] = 'seen'
  expect(await host.call('app.state', {})).toEqual({ ok: true, value: 'seen' })
  delete process.env['AFTERWORD_SHARED']
})

test('closing ends a core that hangs, after every record that was handed over is on the disk', async () => {
  const recording_id = newId()
  const records = Array.from({ length: 5 }, (_, sequence) =>
    host.call('recordings.append', { recording_id, sequence, packets: new Uint8Array([0, 1, 0]), peak: 0, rms: 0 }),
  )
  await host.close()
  expect(await Promise.all(records)).toMatchObject(
    records.map((_, sequence) => ({ ok: true, value: { next_sequence: sequence + 1 } })),
  )
  expect(readdirSync(folder).filter((name) => name.startsWith('record-'))).toHaveLength(5)
  expect(log()).toMatchObject([{ event: 'host.closing-late' }])
})

test('closing twice is closing once, and nothing answers after it', async () => {
  await Promise.all([host.close(), host.close()])
  expect(log()).toHaveLength(1)
  expect(await host.call('clients.list', {})).toEqual({ ok: false, error: { code: 'vault-locked' } })
  expect(await host.lock()).toEqual({ ok: false, error: { code: 'vault-locked' } })
})

test('a lock that hangs does not keep the app from closing', async () => {
  const blocked = host.call('vault.lock', {})
  await host.close()
  expect(await blocked).toEqual({ ok: false, error: { code: 'vault-locked' } })
})

test('a core that cannot be loaded fails the start, and the log has the reason as a code', async () => {
  await host.close()
  const failing = { ...files, 'core-thread': new URL('./threads/failing-core.ts', import.meta.url) }
  await expect(startWith(failing)).rejects.toThrow()
  expect(log()).toContainEqual(expect.objectContaining({ event: 'host.thread-failed', kind: 'Error:ERR_DLOPEN_FAILED' }))
})
