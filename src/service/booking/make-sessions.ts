import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Participant, Session } from '#contract/model/session.ts'
import { minuteMs, writeWall } from '../schedule/wall.ts'
import type { Slot } from '../schedule/world.ts'
import { newRecord } from '../store/records.ts'
import { keepWall } from '../store/series.ts'
import { insertSession } from '../store/sessions.ts'
import type { Write } from '../store/tables.ts'

/** What all sessions of one booking have in common. */
export type SessionBody = Omit<
  Session,
  'id' | 'created_at' | 'updated_at' | 'version' | 'starts_at' | 'ends_at' | 'series_id' | 'occurrence_start'
>

export interface Making {
  readonly clock: Clock
  readonly practice: string
  readonly now: string
  readonly tzVersion: string
  /** Who else comes, besides the session's own client. */
  readonly others: readonly string[]
}

/**
 * One session for each time; several are a series, each of which remembers its own place in it and its wall.
 *
 * @throws AppError `already-exists`, `double-booking`
 */
export async function makeSessions(
  db: Write,
  making: Making,
  body: SessionBody,
  slots: readonly Slot[],
  firstId?: string,
): Promise<Session[]> {
  const { clock, practice, now, tzVersion, others } = making
  const series_id = body.recurrence === null ? null : newId(clock)
  const made: Session[] = []
  for (const [index, slot] of slots.entries()) {
    const id = index === 0 && firstId !== undefined ? firstId : newId(clock)
    const starts_at = new Date(slot.start).toISOString()
    const ends_at = new Date(slot.start + body.duration_minutes * minuteMs).toISOString()
    const session: Session = {
      ...body,
      ...newRecord(id, now),
      starts_at,
      ends_at,
      series_id,
      occurrence_start: series_id && starts_at,
    }
    await insertSession(db, practice, session, others)
    if (series_id !== null) {
      const wall = writeWall(slot.wall)
      await keepWall(db, practice, {
        session_id: id,
        series_id,
        wall,
        time_zone: body.time_zone,
        tz_version: tzVersion,
        starts_at,
      })
    }
    made.push(session)
  }
  return made
}

const seconds = { couple: 'partner', family: 'family', group: 'group_member' } as const

/** Everybody who will be in the room, so that each is asked before the microphone opens; the client alone needs no list. */
export function participantsOf(type: Session['session_type'], names: readonly string[]): Participant[] {
  if (names.length < 2) return []
  const role = type === 'couple' || type === 'family' || type === 'group' ? seconds[type] : 'client'
  return names.map((name, index) => ({ name, role: index === 0 && type !== 'group' ? 'client' : role }))
}
