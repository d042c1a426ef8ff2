import type { Segment, Transcript } from '#contract/model/transcript.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { jsonRows, serviceVersions } from '#core/records/rows.ts'

export type SessionTranscript = Transcript & { session_id: string }

export type TranscriptRepository = ReturnType<typeof createTranscriptRepository>

const rows = jsonRows<SessionTranscript>(['speakers', 'engine'])
const fields = 'id, session_id, language, duration_ms, speakers, engine, created_at, updated_at, version'
const ROWS_PER_TRANSCRIPT = 65_536
/** Seconds since 1970, about the year 6300. Row ids of later sessions would exceed the safe integers. */
const lastSecond = Math.floor(Number.MAX_SAFE_INTEGER / ROWS_PER_TRANSCRIPT) - 1_000_000_000

export function createTranscriptRepository(db: Sqlite) {
  const { bySession, idOf, byId, segments, insert, insertSegment, removeSegments, remove, taken } = prepare(db)
  const versions = serviceVersions(db, 'transcripts')

  const firstRow = (sessionStart: string): number => {
    const second = Math.floor(Date.parse(sessionStart) / 1000)
    let row = Math.min(Math.max(0, second), lastSecond) * ROWS_PER_TRANSCRIPT
    while (taken.get(row, row + ROWS_PER_TRANSCRIPT) !== undefined) row += ROWS_PER_TRANSCRIPT
    return row
  }
  const fromRow = (row: unknown): SessionTranscript | null => {
    const stored = rows.fromRow(row)
    return stored && { ...stored, segments: segments.all(stored.id).map(segmentFromRow) }
  }
  function put(transcript: SessionTranscript, sessionStart: string, serviceVersion: number | null): void {
    removeSegments.run(transcript.session_id)
    remove.run(transcript.session_id)
    insert.run({ ...rows.toRow(transcript), service_version: serviceVersion })
    const first = firstRow(sessionStart)
    for (const [index, segment] of transcript.segments.entries()) {
      insertSegment.run({
        ...segment,
        row: first + index,
        transcript_id: transcript.id,
        session_id: transcript.session_id,
        words: segment.words === undefined ? null : JSON.stringify(segment.words),
        voice: segment.voice ?? null,
        edited: segment.edited ? 1 : 0,
      })
    }
  }
  return {
    ofSession: (sessionId: string) => fromRow(bySession.get(sessionId)),
    find: (id: string) => fromRow(byId.get(id)),
    idOf: (sessionId: string) => (idOf.get(sessionId) as string | undefined) ?? null,
    put,
    move(sessionId: string, sessionStart: string): void {
      const transcript = fromRow(bySession.get(sessionId))
      if (transcript !== null) put(transcript, sessionStart, versions.serviceVersion(transcript.id))
    },
    ...versions,
  }
}

function prepare(db: Sqlite) {
  return {
    bySession: db.prepare(`select ${fields} from transcripts where session_id = ?`),
    idOf: db.prepare('select id from transcripts where session_id = ?').pluck(),
    byId: db.prepare(`select ${fields} from transcripts where id = ?`),
    segments: db.prepare(`
    select id, speaker_id, start_ms, end_ms, text, confidence, words, voice, edited from segments where transcript_id = ? order by row`),
    insert: db.prepare(`
    insert into transcripts (${fields}, service_version)
    values (@id, @session_id, @language, @duration_ms, @speakers, @engine, @created_at, @updated_at, @version, @service_version)`),
    insertSegment: db.prepare(`
    insert into segments (row, transcript_id, session_id, id, speaker_id, start_ms, end_ms, text, confidence, words, voice, edited)
    values (@row, @transcript_id, @session_id, @id, @speaker_id, @start_ms, @end_ms, @text, @confidence, @words, @voice, @edited)`),
    removeSegments: db.prepare('delete from segments where session_id = ?'),
    remove: db.prepare('delete from transcripts where session_id = ?'),
    taken: db.prepare('select 1 from segments where row >= ? and row < ? limit 1'),
  }
}

function segmentFromRow(row: unknown): Segment {
  const { words, voice, edited, ...segment } = row as Omit<Segment, 'words' | 'voice' | 'edited'> & {
    words: string | null
    voice: string | null
    edited: number
  }
  const marked = { ...segment, ...(voice === null ? {} : { voice }), edited: edited === 1 }
  return words === null ? marked : { ...marked, words: JSON.parse(words) as NonNullable<Segment['words']> }
}
