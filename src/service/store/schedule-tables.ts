import type { SealedText } from './sealed.ts'
import type { RecordColumns } from './tables.ts'

interface AvailabilityTable extends RecordColumns {
  /** Null: of the whole practice, or of a room. */
  clinician_id: string | null
}

interface ScheduleProposalTable {
  id: string
  practice_id: string
  /** Whom it was offered to. */
  person_id: string
  body: SealedText
  expires_at: string
  /** What came of it, as JSON; null until it was booked. */
  booked: string | null
}

interface SeriesSessionTable {
  session_id: string
  practice_id: string
  series_id: string
  /** When it is on the clock of its zone, whatever the zone's rules become. */
  wall: string
  time_zone: string
  /** The rules by which `starts_at` was worked out of it. */
  tz_version: string
  starts_at: string
}

/** Who comes besides the session's own client. */
interface SessionClientTable {
  session_id: string
  client_id: string
  practice_id: string
}

/** What the calendar rests on, beside the sessions themselves. */
export interface ScheduleTables {
  rooms: RecordColumns
  availability: AvailabilityTable
  schedule_proposals: ScheduleProposalTable
  series_sessions: SeriesSessionTable
  session_clients: SessionClientTable
}
