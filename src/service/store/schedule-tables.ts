import type { SealedText } from './sealed.ts'
import type { RecordColumns } from './tables.ts'

interface AvailabilityTable extends RecordColumns {
  /** Null for the whole practice or a room. */
  clinician_id: string | null
}

interface ScheduleProposalTable {
  id: string
  practice_id: string
  person_id: string
  body: SealedText
  expires_at: string
  booked: string | null
}

interface SeriesSessionTable {
  session_id: string
  practice_id: string
  series_id: string
  /** Local time in `time_zone`; stays the same when the zone's rules change. */
  wall: string
  time_zone: string
  /** Version of the time zone database that `starts_at` was computed with. */
  tz_version: string
  starts_at: string
}

interface SessionClientTable {
  session_id: string
  client_id: string
  practice_id: string
}

export interface ScheduleTables {
  rooms: RecordColumns
  availability: AvailabilityTable
  schedule_proposals: ScheduleProposalTable
  series_sessions: SeriesSessionTable
  session_clients: SessionClientTable
}
