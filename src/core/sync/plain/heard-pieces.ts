import type { Sqlite } from '#base/sqlite.ts'
import { type Transcript, transcriptSchema } from '#contract/model/transcript.ts'
import type { AudioPiece } from '#core/recordings/audio-pieces.ts'

/** Transcripts of the finished pieces of a recording. Deleted with the intent. */
export interface HeardPieces {
  of(intentId: string, plan: readonly AudioPiece[]): ReadonlyMap<number, Transcript>
  keep(intentId: string, piece: AudioPiece, transcript: Transcript): void
  /** A service may store a transcript for each piece. It isn't the session's transcript. */
  isPiece(transcriptId: string): boolean
}

interface Row extends Pick<AudioPiece, 'number' | 'start_ms' | 'end_ms'> {
  readonly transcript: string
}

export function createHeardPieces(db: Sqlite): HeardPieces {
  const all = db.prepare('select number, start_ms, end_ms, transcript from heard_pieces where intent_id = ?')
  const put = db.prepare(`
    insert or replace into heard_pieces (intent_id, number, start_ms, end_ms, transcript)
    select id, @number, @start_ms, @end_ms, @transcript from outbox where id = @intent_id`)
  const putId = db.prepare('insert or ignore into piece_transcripts (id) values (?)')
  const isPiece = db.prepare('select 1 from piece_transcripts where id = ?')
  const keepBoth = db.transaction((row: object, id: string) => {
    put.run(row)
    putId.run(id)
  })
  return {
    of(intentId, plan) {
      const rows = all.all(intentId) as Row[]
      // If the recording has been damaged since, the pieces may differ.
      const same = rows.filter(
        ({ number, start_ms, end_ms }) => plan[number]?.start_ms === start_ms && plan[number].end_ms === end_ms,
      )
      return new Map(same.map(({ number, transcript }) => [number, transcriptSchema.parse(JSON.parse(transcript))]))
    },
    keep: (intent_id, { number, start_ms, end_ms }, transcript) =>
      keepBoth({ intent_id, number, start_ms, end_ms, transcript: JSON.stringify(transcript) }, transcript.id),
    isPiece: (id) => isPiece.get(id) !== undefined,
  }
}
