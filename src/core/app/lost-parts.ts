import type { Handlers } from '#contract/bridge/methods.ts'
import type { Sqlite } from '#base/sqlite.ts'

/** `ofSession` decides what of a session is still lost. */
export function lostPartsHandlers(
  db: Sqlite,
  ofSession: Handlers<'recovery.lostOfSession'>['recovery.lostOfSession'],
): Handlers<'recovery.lostParts'> {
  const sessions = db.prepare('select distinct session_id from recovery_items where session_id is not null order by session_id')
  return {
    async 'recovery.lostParts'() {
      const ids = sessions.pluck().all() as string[]
      const lost = ids.map(async (session_id) => (await ofSession({ session_id })).map((part) => ({ session_id, ...part })))
      return (await Promise.all(lost)).flat()
    },
  }
}
