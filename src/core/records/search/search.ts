import type { Statement } from 'better-sqlite3'
import type { NoteHit, WordHit } from '#contract/bridge/library.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { foldName } from '#domain/names.ts'
import type { ClientRepository } from '../clients/client-repository.ts'

type Marked<Of extends NoteHit | WordHit> = Omit<Of, 'excerpt'> & { readonly marked: string }

/** Marks around a match in an excerpt. */
const begin = '\u0001'
const end = '\u0002'
const MAX_WORDS = 8
const EXCERPT_TOKENS = 24
/** The statements changed last, of which the newest sessions are shown. */
const MAX_NOTE_HITS = 500

/** Row ids of segments grow with the start of the session, so descending row ids list the newest sessions first. */
export function searchHandlers(db: Sqlite, clients: ClientRepository): Handlers<'search.find'> {
  const find = db.prepare(`
    select segments.session_id, segments.id as segment_id, segments.start_ms, clients.display_name as client_name,
      sessions.starts_at, hit.marked
    from (
      select rowid as row, snippet(segment_words, 0, '${begin}', '${end}', '…', ${EXCERPT_TOKENS}) as marked
      from segment_words where segment_words match @query order by rowid desc limit @limit
    ) as hit
    join segments on segments.row = hit.row
    join sessions on sessions.id = segments.session_id
    join clients on clients.id = sessions.client_id
    order by hit.row desc`)
  const findNotes = db.prepare(`
    select notes.session_id, hit.statement_id, clients.display_name as client_name, sessions.starts_at, hit.marked
    from (
      select rowid as row, note_id, statement_id, snippet(note_words, 0, '${begin}', '${end}', '…', ${EXCERPT_TOKENS}) as marked
      from note_words where note_words match 'text : (' || @query || ')' order by rowid desc limit ${MAX_NOTE_HITS}
    ) as hit
    join notes on notes.id = hit.note_id
    join sessions on sessions.id = notes.session_id
    join clients on clients.id = notes.client_id
    order by sessions.starts_at desc, hit.row limit @limit`)
  const all = <Of extends NoteHit | WordHit>(statement: Statement, query: string | null, limit: number) => {
    const rows = query === null ? [] : (statement.all({ query, limit }) as Marked<Of>[])
    return rows.map(({ marked, ...hit }) => ({ ...hit, excerpt: excerptOf(marked) }))
  }
  return {
    'search.find'({ q, limit }) {
      const query = matchQuery(q)
      return {
        clients: (foldName(q) === '' ? [] : clients.list({ q, limit })).map(({ id, display_name }) => ({ id, display_name })),
        notes: all<NoteHit>(findNotes, query, limit),
        words: all<WordHit>(find, query, limit),
      }
    },
  }
}

/** The words are quoted, so that FTS5 does not read them as operators. */
function matchQuery(typed: string): string | null {
  const words =
    typed
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu)
      ?.slice(0, MAX_WORDS) ?? []
  if (words.length === 0) return null
  return words.map((word, index) => (index === words.length - 1 && word.length > 1 ? `"${word}"*` : `"${word}"`)).join(' AND ')
}

const excerptOf = (marked: string): WordHit['excerpt'] =>
  marked
    .split(begin)
    .flatMap((part, index) => {
      if (index === 0) return [{ text: part, matched: false }]
      const [matched = '', rest = ''] = part.split(end)
      return [
        { text: matched, matched: true },
        { text: rest, matched: false },
      ]
    })
    .filter((part) => part.text !== '')
