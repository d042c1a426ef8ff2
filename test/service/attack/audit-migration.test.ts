import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChainProblem, ChainReport } from '#service/store/read-audit.ts'
import { verifyAudit } from '#service/store/read-audit.ts'
import { readSnapshot } from '#service/store/in-practice.ts'
import { migrations } from '#service/store/migrations.ts'
import { openStore } from '#service/store/open-store.ts'
import type { Database } from '#service/store/tables.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { blankStore } from '../store-kit.ts'
import type { StoreKind } from '../store-kit.ts'
import { addEvents, anAuditEvent, intruder, otherOutcome, positionsIn, relinked, scaleOf, withEvent } from './audit-kit.ts'
import type { ChainRows, EventRow } from './audit-kit.ts'

const { length, runs, seed } = scaleOf(process.env['AFTERWORD_FAULTS'] === 'full')
const positions = positionsIn(length)
const now = '2026-01-01T00:00:00.000Z'
const noPostgres = leftOut('the migration of the audit log on PostgreSQL', await unmet('postgres'))

/** Adds events as releases before did. */
const asBefore = (rows: readonly EventRow[]): string =>
  `insert into audit_events (practice_id, seq, recorded_at, event, previous_hash, hash) values ${rows
    .map(
      ({ practice_id, seq, recorded_at, event, previous, hash }) =>
        `('${[practice_id, seq, recorded_at, event, previous, hash].join("', '")}')`,
    )
    .join(',')}`

describe.each<StoreKind>(['sqlite', 'postgres'])('a chain from before links had a key, on %s', (kind) => {
  if (kind === 'postgres' && noPostgres) return test.skip('is left out here', () => {})
  let own: Awaited<ReturnType<typeof blankStore>>
  let db: Database
  const practice = 'old-practice'
  const before = migrations.findIndex(({ sealsAuditHeads }) => sealsAuditHeads === true)
  let whole: ChainRows
  let attack: ReturnType<typeof intruder>
  const verify = (noted: string[] = []): Promise<ChainReport> =>
    readSnapshot(db, practice, (read) => verifyAudit(read, practice, new Set(noted)))

  beforeAll(async () => {
    own = await blankStore(kind)
    attack = intruder(own)
    await own.bringTo(migrations.slice(0, before))
    await own.ask(`insert into practices (id, name, plan, created_at) values ('${practice}', 'Old', 'free', '${now}')`)
    const plain = Array.from({ length }, (_, at) => {
      const { recorded } = anAuditEvent(at)
      const event = JSON.stringify({ ...anAuditEvent(at), recorded })
      return { practice_id: practice, seq: at + 1, recorded_at: recorded, event, previous: '', hash: '' }
    })
    await own.ask(asBefore(relinked(plain, 0)))
    db = await openStore(own.options)
    await addEvents(db, practice, length)
    whole = await attack.read(practice)
  })
  afterAll(async () => {
    await db.destroy()
    await own.remove()
  })

  test('is verified to its mark without a key and from there with it, also after another start', async () => {
    await (await openStore(own.options)).destroy()
    expect(await verify()).toMatchObject({ broken_at: null, events: 2 * length, plain_through: length })
  })

  test('takes no more links from a release before that still runs', async () => {
    const { events } = whole
    const [last] = relinked([...events, { ...events[0]! }], events.length).slice(-1)
    await expect(own.ask(asBefore([last!]))).rejects.toThrow('previous_hash')
    expect(await verify()).toMatchObject({ broken_at: null })
  })

  test.each<[string, (chain: ChainRows, at: number) => ChainRows, ChainProblem]>([
    [
      'its old part was linked again after a change',
      (chain, at) => {
        const { events, head } = withEvent(chain, at, { event: otherOutcome(chain.events[at]!) })
        return { events: [...relinked(events.slice(0, length), at), ...events.slice(length)], head }
      },
      'changed',
    ],
    [
      'later events were linked as old ones are',
      ({ events, head }, at) => ({ events: relinked(events, length + at), head }),
      'changed',
    ],
    [
      'the whole of it was linked as the old part is, and the head deleted',
      ({ events }) => ({ events: relinked(events, 0), head: null }),
      'no-head',
    ],
    [
      'an event of its old part is no JSON, and was linked again',
      (chain, at) => {
        const { events, head } = withEvent(chain, at - 1, { event: 'no JSON' })
        return { events: [...relinked(events.slice(0, length), at - 1), ...events.slice(length)], head }
      },
      'changed',
    ],
    ['everything after the mark was deleted', ({ events, head }) => ({ events: events.slice(0, length), head }), 'truncated'],
  ])('shows that %s', async (_name, tampered, problem) => {
    await fc.assert(
      fc.asyncProperty(positions, async ([at]) => {
        await attack.overwrite(practice, tampered(whole, at))
        // Another start migrates nothing and marks nothing again.
        await (await openStore(own.options)).destroy()
        expect(await verify()).toMatchObject({ problem })
      }),
      { seed, numRuns: runs },
    )
    await attack.overwrite(practice, whole)
  })

  test('put back to before the migration and migrated again: the mark has moved, and a noted event says so', async () => {
    const noted = (await verify()).head!
    const forged = relinked(withEvent(whole, 0, { event: otherOutcome(whole.events[0]!) }).events, 0)
    await attack.overwrite(practice, { events: forged, head: null })
    await db.destroy()
    const [{ version }, { name }] = [migrations[before - 1]!, migrations[before]!]
    await own.ask(
      `drop table audit_heads; alter table audit_events rename column previous to previous_hash; update schema_state set version = ${version}; delete from schema_steps where name = '${name}'`,
    )
    await own.bringTo(migrations.slice(0, before + 1))
    db = await openStore(own.options)
    expect(await verify([noted])).toMatchObject({ broken_at: null, plain_through: 2 * length, found: [] })
  })
})
