import { listAuthorisations } from '../store/authorisations.ts'
import { getClient } from '../store/clients.ts'
import { everyPage } from '../store/records.ts'
import { listCoverage } from '../store/coverages.ts'
import type { Database } from '../store/tables.ts'
import { completedSessions, fallsUnder, withVisits } from '#service/store/visits-used.ts'

export interface AuthorisationFacts {
  /** Who pays for this client by the card on file; null where nobody does. */
  readonly payer_id: string | null
  /** As the payer last said it; unknown where nobody asked. */
  readonly required: 'yes' | 'no' | 'unknown'
  readonly authorisations: readonly AuthorisedVisits[]
}

export interface AuthorisedVisits {
  readonly id: string
  /** By completed sessions; null: as many as there are until it ends. */
  readonly visits_left: number | null
  covers(day: string, cpt_code: string | null): boolean
}

/** What a scheduler has to know of a client's payer before it gives a time away. `day` is `YYYY-MM-DD` where it takes place. */
export async function authorisationFacts(db: Database, practice: string, client_id: string): Promise<AuthorisationFacts> {
  const { insurance } = await getClient(db, practice, client_id)
  const kept = await everyPage((cursor) => listAuthorisations(db, practice, { limit: 200, client_id, cursor }))
  const completed = kept.length === 0 ? [] : await completedSessions(db, practice, client_id)
  const authorisations = kept
    .filter(({ cancelled }) => !cancelled)
    .map((authorisation) => ({
      id: authorisation.id,
      visits_left: withVisits(authorisation, completed).visits_left,
      covers: (day: string, cpt_code: string | null) => fallsUnder(authorisation, day, cpt_code),
    }))
  return { payer_id: insurance?.payer_id ?? null, required: await lastSaid(db, practice, client_id), authorisations }
}

async function lastSaid(db: Database, practice: string, client_id: string): Promise<AuthorisationFacts['required']> {
  let required: AuthorisationFacts['required'] = 'unknown'
  const stored = await everyPage((cursor) => listCoverage(db, practice, { limit: 200, client_id, cursor }, []))
  for (const { mental_health, status } of stored)
    if (status === 'active' && mental_health.authorization_required !== 'unknown') required = mental_health.authorization_required
  return required
}
