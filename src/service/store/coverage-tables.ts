import type { SealedTextOrNull } from './sealed.ts'
import type { RecordColumns } from './tables.ts'

interface CoverageTable extends RecordColumns {
  client_id: string | null
  author_id: string
  /** Keyed hash of the eligibility request. */
  question: string
  is_answer: 0 | 1
  checked_at: string
  raw: SealedTextOrNull
  raw_type: string | null
}

interface AuthorisationTable extends RecordColumns {
  client_id: string
  author_id: string
}

interface PayerTable extends RecordColumns {
  payer_id: string
  /** Ids and names in lower case, each between `|` characters. */
  search: string
}

export interface CoverageTables {
  coverages: CoverageTable
  authorisations: AuthorisationTable
  payers: PayerTable
}
