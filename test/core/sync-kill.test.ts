import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env, execPath } from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { embeddedAddress } from '#core/sync/service-connection.ts'
import { coreKit, realService } from './core-kit.ts'
import { fileKeychain } from './file-keychain.ts'
import { databaseOfChildren } from './service-over-http.ts'

/** At which call of a run; what earlier runs left over is sent first, so the same count meets different calls. */
const counts = env['AFTERWORD_FAULTS'] === 'full' ? Array.from({ length: 40 }, (_, round) => (round % 8) + 1) : [1, 4, 6, 7]
const folder = mkdtempSync(join(tmpdir(), 'afterword-kill-'))
mkdirSync(join(folder, 'profile'))
const childEnvironment = { ...env, ...(await databaseOfChildren()) }
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs one child to its death or end, and answers what it had acknowledged by then. */
function run(moment: 'before' | 'after', count: number): Promise<{ lines: string[]; signal: string | null; errors: string }> {
  const child = spawn(execPath, [resolve(import.meta.dirname, 'sync-kill-child.ts'), folder, moment, String(count)], {
    stdio: 'pipe',
    env: childEnvironment,
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  return new Promise((done) =>
    child.on('close', (_, signal) => done({ lines: output.split('\n').filter(Boolean), signal, errors })),
  )
}

test(
  'killed between commit and sending, and between the service’s work and its answer: no intent lost, none done twice',
  { timeout: counts.length * 20_000 + 60_000 },
  async () => {
    const acknowledged: string[] = []
    let kills = 0
    for (const count of counts) {
      for (const moment of ['before', 'after'] as const) {
        const { lines, signal, errors } = await run(moment, count)
        expect(errors).toBe('')
        if (signal === 'SIGKILL') kills += 1
        acknowledged.push(...lines)
      }
    }
    expect(kills).toBeGreaterThan(counts.length)

    let client: ServiceClient | null = null
    const keychain = fileKeychain(join(folder, 'keychain.json'))
    const open = await coreKit({ folder: join(folder, 'profile') }).open({
      keychain,
      async openService(options) {
        const service = await realService(systemClock, silentLog)(options)
        client = createServiceClient({ base_url: embeddedAddress, fetch: (request) => service.fetch(request) })
        return service
      },
    })
    await open.settled()
    expect(await open.call('outbox.list', {})).toEqual([])
    const held = await allIn(client!)
    await open.core.close()

    const ids = (kind: string) => acknowledged.filter((line) => line.startsWith(`${kind} `)).map((line) => line.split(' ')[1]!)
    expect(held.clients).toEqual(expect.arrayContaining(ids('client')))
    expect(held.consents).toEqual(expect.arrayContaining(ids('consent')))
    expect(held.sessions).toEqual(expect.arrayContaining(ids('session')))
    expect(held.transcripts).toEqual(expect.arrayContaining(ids('transcript')))
    expect(held.phones).toEqual(expect.arrayContaining(ids('phone')))
    expect(held.drafted).toEqual(expect.arrayContaining(ids('draft')))
    // Each of them once, and one note for each session however often its draft was asked for.
    for (const list of Object.values(held)) expect(new Set(list).size).toBe(list.length)
  },
)

async function allIn(client: ServiceClient) {
  const all = async <Item>(
    page: (cursor: string | undefined) => Promise<{ data: Item[]; next_cursor: string | null }>,
  ): Promise<Item[]> => {
    const items: Item[] = []
    let cursor: string | undefined
    do {
      const { data, next_cursor } = await page(cursor)
      items.push(...data)
      cursor = next_cursor ?? undefined
    } while (cursor !== undefined)
    return items
  }
  const query = (cursor: string | undefined) => ({ query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } })
  const clients = await all(async (cursor) => (await client.call('listClients', query(cursor))).data)
  const consents = await all(async (cursor) => (await client.call('listConsents', query(cursor))).data)
  const sessions = await all(async (cursor) => (await client.call('listSessions', query(cursor))).data)
  const transcripts = await all(async (cursor) => (await client.call('listTranscripts', query(cursor))).data)
  const notes = await all(async (cursor) => (await client.call('listNotes', query(cursor))).data)
  return {
    clients: clients.map(({ id }) => id),
    phones: clients.filter(({ phone }) => phone !== null).map(({ id }) => id),
    consents: consents.map(({ id }) => id),
    sessions: sessions.map(({ id }) => id),
    transcripts: transcripts.map(({ id }) => id),
    drafted: notes.map(({ session_id }) => session_id),
  }
}
