import { DefaultQueryCompiler } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { openService } from '#service/compose/open-service.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { ensurePractice } from '#service/store/practices.ts'
import { insertOperation } from '#service/store/operations.ts'
import { putPolicy } from '#service/store/retention.ts'
import type { Database } from '#service/store/tables.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { freshStore } from './store-kit.ts'
import type { StoreKind, TestStore } from './store-kit.ts'

const noPostgres = leftOut('many practices on PostgreSQL', await unmet('postgres'))
const kinds: readonly StoreKind[] = noPostgres ? ['sqlite'] : ['sqlite', 'postgres']
const now = new Date().toISOString()

describe.each(kinds)('many practices on %s', (kind) => {
  let store: TestStore
  let db: Database
  beforeEach(async () => {
    store = await freshStore(kind)
    db = await openStore(store.options)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await db.destroy()
    await store.remove()
  })

  async function addPractices(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId())
    for (const id of ids)
      await inPractice(db, id, async (write) => {
        await ensurePractice(write, id, 'Practice', 'free', now)
        await putPolicy(write, id, { transcript_days: 0, note_years: 7, version: 1, updated_at: now })
      })
    return ids
  }

  /** Statements of a start, a scrape, what is due then, and an end. */
  async function statements(): Promise<number> {
    const compiled = vi.spyOn(DefaultQueryCompiler.prototype, 'compileQuery')
    const service = await openService({
      store: store.options,
      audio: null,
      speech: () => null,
      clock: systemClock,
      log: silentLog,
      consentPolicy: 'asserted',
      caller: 'api-keys',
      models: { folder: `${store.folder}/models` },
    })
    expect([await service.isReady(), await service.work()]).toEqual([true, []])
    await service.sweep()
    await service.close()
    const count = compiled.mock.calls.length
    compiled.mockRestore()
    return count
  }

  test('a start, a scrape and a round of housekeeping ask as much for forty practices as for one', async () => {
    await addPractices(1)
    // Gives the first practice its owner, and each practice its first look for what retention erases.
    await statements()
    const ofOne = await statements()
    await addPractices(40)
    await statements()
    // On PostgreSQL polling for work adds a few statements; one for each practice would add 40.
    expect(await statements()).toBeLessThan(ofOne + 35)
  })

  test('work under way is counted over all practices together, and the oldest of it is known', async () => {
    const agent = JSON.stringify({ agent: { person: newId() } })
    const [first, second] = await addPractices(3)
    for (const [practice, at] of [
      [first!, '2026-01-02T00:00:00.000Z'],
      [second!, '2026-01-01T00:00:00.000Z'],
    ] as const)
      await inPractice(db, practice, (write) =>
        insertOperation(
          write,
          { id: newId(), practice_id: practice, kind: 'analyze', route: 'analyze', payload: '{}', agent },
          at,
        ),
      )
    const { workCounts } = await import('#service/store/gauges.ts')
    expect(await workCounts(db)).toEqual([{ kind: 'analyze', status: 'queued', count: 2, oldest: '2026-01-01T00:00:00.000Z' }])
  })
})
