import { setInterval as every } from 'node:timers/promises'
import { errorKind } from '#base/log.ts'
import type { Services } from './handler.ts'
import { forgetChanges } from './store/changes.ts'
import { inPractice } from './store/in-practice.ts'
import { sweepUploads } from './uploads/sweep.ts'

type Parts = Pick<Services, 'db' | 'clock' | 'blobs' | 'log'>

const betweenMs = 60_000
/** A laptop that was away for longer reads everything anew. */
const changesKeptMs = 30 * 24 * 3_600_000

/** Puts away what its time is over for, at the start and now and then, until `closing`. */
export async function keepHouse(parts: Parts, closing: AbortSignal): Promise<void> {
  try {
    await tidyAll(parts)
    for await (const _ of every(betweenMs, undefined, { signal: closing, ref: false })) await tidyAll(parts)
  } catch (error) {
    if (!closing.aborted) throw error
  }
}

/** What fails is made up for by the next round. */
async function tidyAll({ log, ...parts }: Parts): Promise<void> {
  try {
    const practices = await parts.db.selectFrom('practices').select('id').execute()
    for (const { id } of practices) await tidy(parts, id)
  } catch (error) {
    log.error('housekeeping', { error: errorKind(error) })
  }
}

async function tidy(parts: Omit<Parts, 'log'>, practice: string): Promise<void> {
  const before = new Date(parts.clock.now() - changesKeptMs).toISOString()
  await inPractice(parts.db, practice, (write) => forgetChanges(write, practice, before))
  await sweepUploads(parts, practice)
}
