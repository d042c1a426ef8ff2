import { setInterval as every } from 'node:timers/promises'
import { errorKind } from '#base/log.ts'
import type { Services } from '#service/routes/services.ts'
import { forgetChanges, practicesWithOldChanges } from '#service/store/changes.ts'
import { acrossPractices, inPractice } from '#service/store/in-practice.ts'
import { dropKeptPieces, KEPT_FOR_MS, practicesWithOldPieces } from '#service/store/pieces.ts'
import { servedOf } from '#service/store/practices.ts'
import { practicesWithOutdatedWalls } from '#service/store/series.ts'
import type { Database } from '#service/store/tables.ts'
import { sweepUploads, uploadsToSweep } from '#service/uploads/sweep.ts'

type Parts = Pick<Services, 'db' | 'clock' | 'blobs' | 'log'>

/** Something that comes due in a few practices at a time. */
interface Chore {
  readonly name: string
  readonly everyMs: number
  /** The practices where it is due, found by one query over all of them. */
  due(read: Database, now: number): Promise<readonly string[]>
  carryOut(parts: Parts, practice: string): Promise<void>
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** A laptop that was away for longer reads everything again. */
const changesKeptMs = 30 * 24 * hourMs
const before = (now: number, ms: number): string => new Date(now - ms).toISOString()
/** Of the world's time zone rules. */
const rulesNow = process.versions.tz ?? 'unknown'

const chores: readonly Chore[] = [
  {
    name: 'uploads',
    everyMs: minuteMs,
    due: uploadsToSweep,
    carryOut: async (parts, practice) => void (await sweepUploads(parts, practice)),
  },
  {
    name: 'changes',
    everyMs: hourMs,
    due: (read, now) => practicesWithOldChanges(read, before(now, changesKeptMs)),
    carryOut: ({ db, clock }, practice) =>
      inPractice(db, practice, (write) => forgetChanges(write, practice, before(clock.now(), changesKeptMs))),
  },
  {
    name: 'pieces',
    everyMs: hourMs,
    due: (read, now) => practicesWithOldPieces(read, before(now, KEPT_FOR_MS)),
    carryOut: ({ db, clock }, practice) =>
      inPractice(db, practice, (write) => dropKeptPieces(write, before(clock.now(), KEPT_FOR_MS))),
  },
  {
    name: 'time zones',
    everyMs: hourMs,
    due: (read, now) => practicesWithOutdatedWalls(read, rulesNow, new Date(now).toISOString()),
    // Loaded only where the world's clocks have changed since sessions were put into the calendar.
    carryOut: async ({ db, clock }, practice) => {
      const { renewPractice } = await import('#service/booking/renew-zones.ts')
      const { worldZones } = await import('#service/schedule/zone.ts')
      await renewPractice(db, clock, worldZones, practice)
    },
  },
]

/** Does what has come due, at the start and then regularly, until `closing`. */
export async function keepHouse(parts: Parts, closing: AbortSignal): Promise<void> {
  const next = new Map<Chore, number>()
  try {
    await carryOutDue(parts, next)
    for await (const _ of every(minuteMs, undefined, { signal: closing, ref: false })) await carryOutDue(parts, next)
  } catch (error) {
    if (!closing.aborted) throw error
  }
}

async function carryOutDue(parts: Parts, next: Map<Chore, number>): Promise<void> {
  const { db, clock, log } = parts
  for (const chore of chores) {
    if (clock.elapsed() < (next.get(chore) ?? -Infinity)) continue
    next.set(chore, clock.elapsed() + chore.everyMs)
    // What fails is tried again in the next round, and holds up no other practice.
    const failed = (error: unknown): void => log.error('housekeeping', { chore: chore.name, error: errorKind(error) })
    const due = await acrossPractices(db, async (read) => servedOf(read, await chore.due(read, clock.now()))).catch(
      (error: unknown) => {
        failed(error)
        return []
      },
    )
    for (const practice of due) await chore.carryOut(parts, practice).catch(failed)
  }
}
