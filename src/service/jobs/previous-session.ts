import type { Session } from '#contract/model/session.ts'
import { isAgreed } from '#service/access/consent.ts'
import type { ConsentPolicy } from '#service/access/consent.ts'
import { listNotes } from '#service/store/notes.ts'
import { sessionBefore } from '#service/store/sessions.ts'
import type { Database } from '#service/store/tables.ts'
import { lastTranscriptOf, storedTranscript } from '#service/store/transcripts.ts'
import type { AnalysisWork } from '#engines/texts/text-work.ts'

/** The client's last session before this one that has a transcript and may be looked into; null where there is none. */
export async function previousOf(
  db: Database,
  practice: string,
  policy: ConsentPolicy,
  session: Session,
): Promise<AnalysisWork['previous']> {
  const before = await sessionBefore(db, practice, session)
  if (before === null || !(await isAgreed(db, practice, policy, before, 'analyze'))) return null
  const transcript = await lastTranscriptOf(db, practice, before.id)
  if (transcript === null) return null
  const note = (await listNotes(db, practice, { limit: 200, session_id: before.id })).data.at(-1)
  const plan = (note?.sections ?? [])
    .filter(({ key }) => /^(?:p|plan)$/i.test(key))
    .flatMap(({ statements }) => statements.map(({ text, evidence }) => ({ text, evidence })))
  const { body } = await storedTranscript(db, practice, transcript)
  const said = { kind: 'transcript', body } as const
  const { id, starts_at, time_zone } = before
  return { session_id: id, session: before, starts_at, time_zone, said, plan }
}
