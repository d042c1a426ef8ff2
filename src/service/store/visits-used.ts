import type { Authorisation } from '#contract/model/payer.ts'
import type { Session } from '#contract/model/session.ts'
import type { KeptAuthorisation } from './authorisations.ts'
import { everyPage } from './records.ts'
import { listSessions } from './sessions.ts'
import type { Database } from './tables.ts'

export function completedSessions(db: Database, practice: string, client_id: string): Promise<Session[]> {
  return everyPage((cursor) => listSessions(db, practice, { limit: 200, cursor, client_id, status: 'completed' }))
}

export function withVisits(authorisation: KeptAuthorisation, completed: readonly Session[]): Authorisation {
  const counted = completed.filter((session) => fallsUnder(authorisation, dayOf(session), session.cpt_code)).length
  const visits_used = authorisation.visits_used_before + counted
  const { visits_approved } = authorisation
  return {
    ...authorisation,
    visits_used,
    visits_left: visits_approved === null ? null : Math.max(0, visits_approved - visits_used),
  }
}

export async function countedOne(db: Database, practice: string, kept: KeptAuthorisation): Promise<Authorisation> {
  return withVisits(kept, await completedSessions(db, practice, kept.client_id))
}

/** A session without a CPT code counts only toward authorizations for any code. */
export function fallsUnder(
  { starts_on, ends_on, cpt_codes, cancelled }: Pick<KeptAuthorisation, 'starts_on' | 'ends_on' | 'cpt_codes' | 'cancelled'>,
  day: string,
  cpt_code: string | null,
): boolean {
  if (cancelled || day < starts_on || (ends_on !== null && day > ends_on)) return false
  return cpt_codes.length === 0 || (cpt_code !== null && cpt_codes.some((code) => code.toUpperCase() === cpt_code.toUpperCase()))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The date on which a session began in its own time zone, because payers count by date. */
function dayOf({ starts_at, time_zone }: Pick<Session, 'starts_at' | 'time_zone'>): string {
  let format = formats.get(time_zone)
  if (format === undefined) {
    // en-CA formats dates as ISO 8601.
    format = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone, year: 'numeric', month: '2-digit', day: '2-digit' })
    if (formats.size < 1000) formats.set(time_zone, format)
  }
  return format.format(new Date(starts_at))
}
