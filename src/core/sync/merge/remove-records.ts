import type { Sqlite } from '#base/sqlite.ts'

/** Deletes records and everything attached to them except recordings. Call this in a transaction. */
export interface RemoveRecords {
  client(id: string): void
  session(id: string): void
  consent(id: string): void
  transcript(id: string): void
  note(id: string): void
  sessionsOf(clientId: string): string[]
  recordingsOf(sessionIds: readonly string[]): string[]
}

const ofSession = [
  'segments',
  'transcripts',
  'speaker_facts',
  'insights',
  'cue_decisions',
  'work',
  'notes',
  'outbox',
  'kept_here',
  'sent_today',
]
const ofClient = ['consents', 'insights', 'outbox', 'kept_here', 'sent_today']

export function createRemoveRecords(db: Sqlite): RemoveRecords {
  const each = (tables: readonly string[], column: string) =>
    tables.map((table) => db.prepare(`delete from ${table} where ${column} = ?`))
  const sessionParts = [...each(ofSession, 'session_id'), ...each(['sessions'], 'id')]
  const clientParts = [...each(ofClient, 'client_id'), ...each(['clients'], 'id')]
  const answers = db.prepare('delete from kept_answers where instr(question || answer, ?) > 0')
  const reported = db.prepare('update recovery_items set client_name = null where client_id = ?')
  const sessionsOf = db.prepare('select id from sessions where client_id = ? order by id').pluck()
  const recordings = db
    .prepare(`select id from recordings where state <> 'erased' and session_id in (select value from json_each(?)) order by id`)
    .pluck()
  const { transcriptParts, consent, note } = single(db)
  // The agreed version holds the deleted content. Keep only the fact that the record is gone.
  const agreed = db.prepare(`
    update common_versions set version = 0, record = null where (kind = 'session' and id = @id)
      or (kind = 'transcript' and id in (select id from transcripts where session_id = @id))
      or (kind = 'note' and id in (select id from notes where session_id = @id))`)
  const syncRows = each(['kept_here', 'sent_today'], 'subject_id')
  const session = (id: string): void => sessionParts.forEach((statement) => void statement.run(id))
  return {
    session,
    client(id) {
      for (const one of sessionsOf.all(id) as string[]) {
        agreed.run({ id: one })
        session(one)
      }
      for (const statement of clientParts) statement.run(id)
      answers.run(id)
      reported.run(id)
    },
    consent(id) {
      consent.run(id)
      syncRows.forEach((statement) => void statement.run(id))
    },
    transcript(id) {
      transcriptParts.forEach((statement) => void statement.run({ id }))
      syncRows.forEach((statement) => void statement.run(id))
    },
    note(id) {
      note.run(id)
      syncRows.forEach((statement) => void statement.run(id))
    },
    sessionsOf: (clientId) => sessionsOf.all(clientId) as string[],
    recordingsOf: (sessionIds) => recordings.all(JSON.stringify(sessionIds)) as string[],
  }
}

function single(db: Sqlite) {
  const session = '(select session_id from transcripts where id = @id)'
  return {
    transcriptParts: [
      ...['speaker_facts', 'insights', 'cue_decisions'].map((table) =>
        db.prepare(`delete from ${table} where session_id = ${session}`),
      ),
      db.prepare('delete from segments where transcript_id = @id'),
      db.prepare('delete from transcripts where id = @id'),
    ],
    consent: db.prepare('delete from consents where id = ?'),
    note: db.prepare('delete from notes where id = ?'),
  }
}
