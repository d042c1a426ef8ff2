import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { problemSchema } from '#contract/model/problem.ts'
import { silentLog } from '#base/log.ts'
import { openService } from '#service/compose/open-service.ts'
import type { Service } from '#service/compose/open-service.ts'
import { embeddedCaller } from '#service/kernel/caller.ts'
import type { JobPort } from '#service/jobs/run.ts'
import { runOperation } from '#service/jobs/run.ts'
import { Busy, inPractice } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { claimRow, getOperation, insertOperation } from '#service/store/operations.ts'
import { ensurePractice } from '#service/store/practices.ts'
import type { Write } from '#service/store/tables.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { countQueries } from '../count-queries.ts'
import { anId } from '../service-kit.ts'
import { freshStore, postgresHere } from '../store-kit.ts'
import type { StoreKind } from '../store-kit.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** The embedded service on a store where a change waits so long for its turn, and a way to hold that turn from outside. */
async function open(kind: StoreKind, lockMs?: number) {
  const own = await freshStore(kind)
  closers.push(() => own.remove())
  const { options, folder } = own
  const service: Service = await openService({
    store: lockMs === undefined ? options : { ...options, lockMs },
    audio: null,
    speech: () => null,
    clock: systemClock,
    log: silentLog,
    consentPolicy: 'asserted',
    caller: 'embedded',
    models: { folder: `${folder}/models` },
  })
  closers.push(() => service.close())
  const call = (method: string, path: string, body?: unknown): Promise<Response> =>
    service.fetch(
      new Request(`http://embedded.invalid/v1${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      }),
    )
  const hold = async (): Promise<() => Promise<void>> => {
    if (options.kind === 'sqlite') {
      const other = openEncrypted(options.file, options.key)
      other.exec('begin immediate')
      return async () => void other.close()
    }
    const other = await (await postgresHere()).look(options.url)
    await other.query('select pg_advisory_lock(hashtextextended($1, 0))', [`afterword ${embeddedCaller.practice_id}`])
    return () => other.end()
  }
  return { call, hold, service }
}

const client = (count = 0) => ({ display_name: `Client ${count}` })

for (const kind of ['sqlite', 'postgres'] as const) {
  const isLeftOut = kind === 'postgres' && leftOut('locks on PostgreSQL', await unmet('postgres'))
  describe.skipIf(isLeftOut)(`with its records in ${kind}`, () => {
    test('while another process holds the records, every call that needs them is answered 503 with Retry-After, and the next ones are served', async () => {
      const { call, hold } = await open(kind, 100)
      const release = await hold()
      const crowd = Array.from({ length: 80 }, (_, count) => call('POST', '/clients', client(count)))
      for (const answer of [...(await Promise.all(crowd)), await call('GET', '/clients')]) {
        expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([503, 1])
        const problem = problemSchema.parse(await answer.json())
        expect(problem).toMatchObject({ code: 'service-unreachable', retryable: true })
        expect(problem.detail).toContain('Nothing was saved')
      }
      await release()
      expect((await call('POST', '/clients', client())).status).toBe(201)
      const { data } = (await (await call('GET', '/clients')).json()) as { data: unknown[] }
      expect(data).toHaveLength(1)
    })

    // On SQLite they share one line, which the test above waits for.
    test.skipIf(kind === 'sqlite')('a crowd waits for the lock together, not one after the other', async () => {
      const { call, hold } = await open(kind, 100)
      const release = await hold()
      const queries = countQueries()
      closers.push(queries.stop)
      await Promise.all(Array.from({ length: 200 }, (_, count) => call('POST', '/clients', client(count))))
      const waited = queries.taken().filter((text) => text.includes('pg_advisory_xact_lock'))
      // One for each group of 32 were seven.
      expect(waited.length).toBeLessThanOrEqual(2)
      await release()
    })

    test('work that could not be stored because the records are held is handed back and loses no attempt', async () => {
      const own = await freshStore(kind)
      closers.push(() => own.remove())
      const db = await openStore(own.options)
      closers.push(() => db.destroy())
      const [practice_id, id, now] = [anId(), anId(), new Date().toISOString()]
      const within = <Result>(work: (write: Write) => Promise<Result>) => inPractice(db, practice_id, work)
      const queued = { id, practice_id, kind: 'transcribe', route: 'transcribe', payload: '{}', agent: '{}' } as const
      const claimed = await within(async (write) => {
        await ensurePractice(write, practice_id, 'Practice', undefined, now)
        await insertOperation(write, queued, now)
        return claimRow(write, await getOperation(write, practice_id, id), 'this process', Date.now())
      })
      const worker = async () => {
        throw new Busy(new Error('held'))
      }
      const ports = { db, clock: systemClock, log: silentLog }
      const lane = { worker, cleanUp: async () => {} }
      const owner = 'this process'
      const port: JobPort = {
        owner,
        lookAgainMs: null,
        claim: async () => null,
        renew: async () => true,
        listen: () => {},
        close: async () => {},
      }
      const closing = new AbortController().signal
      await runOperation(ports, claimed, lane, { control: new AbortController(), closing, port })
      const row = await within((read) => getOperation(read, practice_id, id))
      expect(row).toMatchObject({ status: 'running', lease_owner: null, lease_until: 0, attempts: 0, error_code: null })
    })

    test('a call that waits for the lock holds up nobody else, and is served once it is free', async () => {
      const { call, hold } = await open(kind)
      const release = await hold()
      const waiting = call('POST', '/clients', client())
      // Were the thread held, nothing here could let go of the lock.
      for (let turn = 0; turn < 50; turn += 1) await nextTurn()
      expect((await call('GET', '/openapi.json')).status).toBe(200)
      await release()
      expect((await waiting).status).toBe(201)
    })
  })
}
