import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { lineLog } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { appendAudit, exportChain, importChain, logHeads } from '#service/store/audit.ts'
import type { ChainProblem, ChainReport } from '#service/store/read-audit.ts'
import { verifyAudit } from '#service/store/read-audit.ts'
import { inPractice, readSnapshot } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { ensurePractice } from '#service/store/practices.ts'
import type { Database } from '#service/store/tables.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { freshStore } from '../store-kit.ts'
import type { StoreKind, TestStore } from '../store-kit.ts'
import {
  addEvents,
  anAuditEvent,
  intruder,
  otherOutcome,
  plainLink,
  positionsIn,
  relinked,
  scaleOf,
  withEvent,
} from './audit-kit.ts'
import type { ChainRows, EventRow } from './audit-kit.ts'

const { length, runs, seed } = scaleOf(process.env['AFTERWORD_FAULTS'] === 'full')
const positions = positionsIn(length)
const now = '2026-01-01T00:00:00.000Z'

const noPostgres = leftOut('tampering with the audit log on PostgreSQL', await unmet('postgres'))

/** What the intruder makes of the chain. `at` and `more` are positions in it, `at` before `more`. */
type Attack = (chain: ChainRows, at: number, more: number, other: ChainRows) => ChainRows

const flipped = (hex: string): string => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)

const attacks: Readonly<Record<string, readonly [Attack, readonly ChainProblem[]]>> = {
  'an event was changed': [(chain, at) => withEvent(chain, at, { event: otherOutcome(chain.events[at]!) }), ['changed']],
  'the time that lists are filtered by was changed': [
    (chain, at) => withEvent(chain, at, { recorded_at: '2020-01-01T00:00:00.000Z' }),
    ['changed'],
  ],
  'a link was changed': [(chain, at) => withEvent(chain, at, { hash: flipped(chain.events[at]!.hash) }), ['changed']],
  'events in the middle were deleted': [
    ({ events, head }, at, more) => ({ events: [...events.slice(0, at), ...events.slice(more)], head }),
    ['missing'],
  ],
  'events in the middle were deleted, and the rest numbered and linked again': [
    ({ events, head }, at, more) => ({ events: relinked([...events.slice(0, at), ...events.slice(more)], at), head }),
    ['changed'],
  ],
  'the last events were deleted': [({ events, head }, at) => ({ events: events.slice(0, at), head }), ['truncated']],
  'all events were deleted': [({ head }) => ({ events: [], head }), ['truncated']],
  'an event was changed, and all links from there made again without the key': [
    (chain, at) => {
      const { events, head } = withEvent(chain, at, { event: otherOutcome(chain.events[at]!) })
      return { events: relinked(events, at), head }
    },
    ['changed'],
  ],
  'the whole chain was linked again without the key': [
    ({ events, head }) => ({ events: relinked(events, 0), head }),
    ['changed'],
  ],
  'two events changed places': [
    (chain, at, more) => {
      const [one, two] = [chain.events[at]!, chain.events[more]!]
      return withEvent(withEvent(chain, at, { event: two.event }), more, { event: one.event })
    },
    ['changed'],
  ],
  'two rows changed places with their links': [
    (chain, at, more) => {
      const [one, two] = [chain.events[at]!, chain.events[more]!]
      return withEvent(withEvent(chain, at, { ...two, seq: one.seq }), more, { ...one, seq: two.seq })
    },
    ['changed'],
  ],
  'an event was added with a plain hash': [
    ({ events, head }, at) => {
      const [last, { event, recorded_at, practice_id }] = [events.at(-1)!, events[at]!]
      const hash = plainLink(last.hash, event)
      return { events: [...events, { practice_id, recorded_at, event, seq: last.seq + 1, previous: last.hash, hash }], head }
    },
    ['changed'],
  ],
  'an event was added before the first one': [
    ({ events, head }, at) => ({ events: [{ ...events[at]!, seq: 0 }, ...events], head }),
    ['before-first'],
  ],
  'an event was added long before the first one': [
    ({ events, head }, at) => ({ events: [{ ...events[at]!, seq: -at }, ...events], head }),
    ['before-first'],
  ],
  'an event was added with the link of another one': [
    ({ events, head }, at) => {
      const last = events.at(-1)!
      return { events: [...events, { ...events[at]!, seq: last.seq + 1, previous: last.hash }], head }
    },
    ['changed'],
  ],
  'the head was deleted': [({ events }) => ({ events, head: null }), ['no-head']],
  'the head was deleted, and the last events': [({ events }, at) => ({ events: events.slice(0, at), head: null }), ['no-head']],
  'the head was deleted, and every event': [() => ({ events: [], head: null }), ['no-head']],
  'the head was changed': [({ events, head }) => ({ events, head: flipped(head!) }), ['no-head']],
  'the head of another practice was put there': [({ events }, _at, _more, other) => ({ events, head: other.head }), ['no-head']],
  'an event of another practice was put there': [
    (chain, at, _more, other) => withEvent(chain, at, { event: other.events[at]!.event }),
    ['changed'],
  ],
  'events of another practice were put there with their links': [
    ({ events, head }, at, _more, other) => ({ events: [...other.events.slice(0, at + 1), ...events.slice(at + 1)], head }),
    ['changed'],
  ],
  'the chain was replaced by that of another practice': [
    ({ head }, _at, _more, other) => ({ events: other.events, head }),
    ['changed'],
  ],
  'the chain was replaced by that of another practice with its head': [(_chain, _at, _more, other) => other, ['no-head']],
}

describe.each<StoreKind>(['sqlite', 'postgres'])('the audit chain on %s', (kind) => {
  if (kind === 'postgres' && noPostgres) return test.skip('is left out here', () => {})
  let own: TestStore
  let db: Database
  const [practice, other] = [newId(), newId()]
  let whole: ChainRows
  let foreign: ChainRows
  let attack: ReturnType<typeof intruder>
  const verify = (noted: string[] = [], of = db): Promise<ChainReport> =>
    readSnapshot(of, practice, (read) => verifyAudit(read, practice, new Set(noted)))

  beforeAll(async () => {
    own = await freshStore(kind)
    db = await openStore(own.options)
    attack = intruder(own)
    for (const id of [practice, other]) {
      await inPractice(db, id, (write) => ensurePractice(write, id, 'Practice', 'free', now))
      await addEvents(db, id, length)
    }
    whole = await attack.read(practice)
    foreign = await attack.read(other)
  })
  afterAll(async () => {
    await db.destroy()
    await own.remove()
  })

  test.each(Object.entries(attacks))('shows that %s', async (_name, [tampered, problems]) => {
    expect(await verify()).toMatchObject({ broken_at: null, events: length })
    await fc.assert(
      fc.asyncProperty(positions, async ([at, more]) => {
        await attack.overwrite(practice, tampered(whole, at, more, foreign))
        const { broken_at, problem } = await verify()
        expect(problems).toContain(problem)
        expect(broken_at).toBeGreaterThan(0)
      }),
      { seed, numRuns: runs },
    )
    await attack.overwrite(practice, whole)
  })

  test('shows by an event noted elsewhere that an older copy was put back, and by nothing else', async () => {
    const last = whole.events.at(-1)!
    await addEvents(db, practice, 3)
    const noted = (await verify()).head!
    expect(await verify([noted, `${last.seq}:${last.hash}`])).toMatchObject({ found: [`${last.seq}:${last.hash}`, noted] })
    await attack.overwrite(practice, whole)
    expect(await verify([noted])).toMatchObject({ broken_at: null, found: [] })
  })

  test.each<[string, (chain: ChainRows) => ChainRows, ChainProblem]>([
    ['the last events are gone', ({ events, head }) => ({ events: events.slice(0, -3), head }), 'missing'],
    ['every event is gone', ({ head }) => ({ events: [], head }), 'missing'],
    ['the head is gone', ({ events }) => ({ events, head: null }), 'no-head'],
    ['the last event is another one', ({ events, head }) => ({ events: relinked(events, length - 1), head }), 'changed'],
  ])('goes on where %s, and calls that follow do not hide it', async (_name, tampered, problem) => {
    await attack.overwrite(practice, tampered(whole))
    await addEvents(db, practice, 2)
    await inPractice(db, practice, (write) => ensurePractice(write, practice, 'Practice', 'free', now))
    expect(await verify()).toMatchObject({ problem })
    await attack.overwrite(practice, whole)
  })

  test('goes on where an older head was put back, and calls that follow do not hide it', async () => {
    await addEvents(db, practice, 3)
    await attack.overwrite(practice, { ...(await attack.read(practice)), head: whole.head })
    await addEvents(db, practice, 1)
    expect(await verify()).toMatchObject({ problem: 'beyond-head', broken_at: length + 1 })
    await attack.overwrite(practice, whole)
  })

  test('has its head logged after every hundred events that were committed', async () => {
    const lines: string[] = []
    logHeads(
      db,
      lineLog((line) => lines.push(line)),
    )
    const undone = inPractice(db, practice, async (write) => {
      for (let at = 0; at < 100; at += 1) await appendAudit(write, practice, anAuditEvent(at))
      throw new AppError('conflict')
    })
    await expect(undone).rejects.toMatchObject({ code: 'conflict' })
    expect(lines).toEqual([])
    await inPractice(db, practice, async (write) => {
      for (let at = 0; at < 100; at += 1) await appendAudit(write, practice, anAuditEvent(at))
    })
    const { head } = await verify()
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ event: 'audit.head', practice, head }])
    await attack.overwrite(practice, whole)
  })

  test('moves with its practice to a store with another key, is verified there and goes on there', async () => {
    const elsewhere = await freshStore(kind)
    const there = await openStore(elsewhere.options)
    const transfer = await readSnapshot(db, practice, (read) => exportChain(read, practice))
    await inPractice(there, practice, (write) => ensurePractice(write, practice, 'Practice', 'free', now))
    const arrive = async (events: readonly EventRow[]): Promise<void> => {
      await intruder(elsewhere).overwrite(practice, { events: [...events], head: null })
      await inPractice(there, practice, (write) => importChain(write, practice, JSON.parse(JSON.stringify(transfer))))
    }
    await arrive(whole.events.slice(0, -1))
    expect(await verify([], there)).toMatchObject({ problem: 'truncated' })
    await arrive(whole.events)
    const noted = (await verify()).head!
    await addEvents(there, practice, 2)
    expect(await verify([noted], there)).toMatchObject({ broken_at: null, events: length + 2, found: [noted] })
    const moved = await intruder(elsewhere).read(practice)
    const changed = withEvent(moved, 0, { event: otherOutcome(moved.events[0]!) })
    await intruder(elsewhere).overwrite(practice, { ...changed, events: relinked(changed.events, 0) })
    expect(await verify([], there)).toMatchObject({ problem: 'changed', broken_at: 1 })
    await there.destroy()
    await elsewhere.remove()
  })
})
