import { authorisationFacts } from '../payer/authorisation-facts.ts'
import type { Authorization } from '../schedule/world.ts'
import { dateOf } from '../schedule/wall.ts'
import type { Database } from '../store/tables.ts'

/** What payers have agreed to for a client. No code is known yet, so those for some codes alone do not count. */
export async function authorizationsOf(db: Database, practice: string, client: string): Promise<Authorization[]> {
  const { authorisations } = await authorisationFacts(db, practice, client)
  return authorisations.map(({ id, visits_left, covers }) => ({
    id,
    remaining: visits_left ?? Infinity,
    covers: (day) => covers(dateOf(day), null),
  }))
}
