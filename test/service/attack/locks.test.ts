import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { openEncrypted } from '#base/sqlite.ts'
import { problemSchema } from '#contract/model/problem.ts'
import { silentLog } from '#base/log.ts'
import { openService } from '#service/open-service.ts'
import type { Service } from '#service/open-service.ts'
import { embeddedCaller } from '#service/caller.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { countQueries } from '../count-queries.ts'
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
