import type { WordHit } from '#contract/bridge/library.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { foldName } from '#domain/names.ts'
import type { ClientRepository } from '../clients/client-repository.ts'

type Found = Omit<WordHit, 'excerpt'> & { readonly row: number; readonly marked: string }

/** Marks around a match in an excerpt. */
const begin = '\u0001'
const end = '\u0002'
const MAX_WORDS = 8
const EXCERPT_TOKENS = 24

/** Row ids of segments grow with the start of the session, so descending row ids list the newest sessions first. */
export function searchHandlers(db: Sqlite, clients: ClientRepository): Handlers<'search.find'> {
  const find = db.prepare(`
    select hit.row, segments.session_id, segments.id as segment_id, segments.start_ms, clients.display_name as client_name,
      sessions.starts_at, hit.marked
    from (
      select rowid as row, snippet(segment_words, 0, '${begin}', '${end}', '…', ${EXCERPT_TOKENS}) as marked
      from segment_words where segment_words match @query order by rowid desc limit @limit
    ) as hit
    join segments on segments.row = hit.row
    join sessions on sessions.id = segments.session_id
    join clients on clients.id = sessions.client_id
    order by hit.row desc`)
  return {
    'search.find'({ q, limit }) {
      const query = matchQuery(q)
      const found = query === null ? [] : (find.all({ query, limit }) as Found[])
      return {
        clients: (foldName(q) === '' ? [] : clients.list({ q, limit })).map(({ id, display_name }) => ({ id, display_name })),
        words: found.map(({ row: _row, marked, ...hit }) => ({ ...hit, excerpt: excerptOf(marked) })),
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
