import type { RecordColumns } from './tables.ts'

export interface BreakGlassTable extends RecordColumns {
  person_id: string
  client_id: string
  ends_at: string
  reviewed_at: string | null
}

export interface ReassignmentTable extends RecordColumns {
  client_id: string
  from_clinician_id: string | null
}
