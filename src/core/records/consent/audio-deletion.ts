import type { Sqlite } from '#base/sqlite.ts'
import type { ConsentService } from './consent-service.ts'

/** Marks audio for deletion, in the transaction of the signature or the withdrawal. Audio without a mark stays. */
export function createAudioDeletion(db: Sqlite, consentService: ConsentService) {
  const mark = db.prepare(`
    update recordings set deletion_reason = ? where session_id = ? and state <> 'erased' and deletion_reason is null`)
  const signedOf = db.prepare(`
    select distinct recordings.session_id from recordings
    join sessions on sessions.id = recordings.session_id
    join notes on notes.session_id = recordings.session_id
    where sessions.client_id = ? and recordings.state <> 'erased' and recordings.deletion_reason is null
      and notes.signature is not null and notes.status <> 'returned'`)
  return {
    noteSigned(sessionId: string): void {
      const reason = consentService.deletionReason(sessionId)
      if (reason !== null) mark.run(reason, sessionId)
    },
    consentWithdrawn(clientId: string): void {
      for (const sessionId of signedOf.pluck().all(clientId) as string[])
        if (consentService.deletionReason(sessionId) === 'withdrawn') mark.run('withdrawn', sessionId)
    },
  }
}
