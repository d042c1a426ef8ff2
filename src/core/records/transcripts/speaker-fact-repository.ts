import { z } from 'zod'
import type { Sqlite } from '#base/sqlite.ts'
import { type SpeakerFact, speakerFactSchema } from './speaker-facts.ts'

/** The user's assignments of speakers, which also apply to later transcripts of the recording. */
export interface SpeakerFactRepository {
  /** Per recording, because times count from its start. */
  get(sessionId: string, recordingId: string): SpeakerFact[]
  put(sessionId: string, recordingId: string, facts: readonly SpeakerFact[]): void
}

const factsSchema = z.array(speakerFactSchema)

export function createSpeakerFactRepository(db: Sqlite): SpeakerFactRepository {
  const read = db.prepare('select facts from speaker_facts where session_id = ? and recording_id = ?').pluck()
  const write = db.prepare('insert or replace into speaker_facts (session_id, recording_id, facts) values (?, ?, ?)')
  const remove = db.prepare('delete from speaker_facts where session_id = ?')
  return {
    get(sessionId, recordingId) {
      const facts = read.get(sessionId, recordingId) as string | undefined
      return facts === undefined ? [] : factsSchema.parse(JSON.parse(facts))
    },
    put(sessionId, recordingId, facts) {
      if (facts.length === 0) remove.run(sessionId)
      else write.run(sessionId, recordingId, JSON.stringify(facts))
    },
  }
}
