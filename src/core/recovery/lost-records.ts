import type { ReadOut } from '#base/read-out.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { RecoveryItem } from './report.ts'

type Kind = 'client' | 'consent' | 'session' | 'transcript' | 'note'

/** Indexes that hold enough of each record to say whose it was and of when, though its row is lost. */
const indexes = {
  clients_versions: ['client', 'clients', ['client_id', 'date']],
  consents_versions: ['consent', 'consents', ['id', 'client_id', 'date']],
  sessions_versions: ['session', 'sessions', ['session_id', 'client_id', 'date']],
  transcripts_versions: ['transcript', 'transcripts', ['id', 'session_id']],
  notes_versions: ['note', 'notes', ['id', 'session_id', 'client_id']],
} as const satisfies Record<string, readonly [Kind, string, readonly string[]]>

export const wantedIndexes = [...Object.keys(indexes), 'segments_by_transcript']

const nothingKnown = { client_id: null, session_id: null, date: null }

/** Records that indexes or other records name and that no row is left of. */
export function lostRecords(db: Sqlite, found: ReadOut): RecoveryItem[] {
  const items: RecoveryItem[] = []
  for (const [index, [kind, table, columns]] of Object.entries(indexes)) {
    const isHere = db.prepare(`select 1 from ${table} where id = ?`)
    for (const values of found.indexes.get(index) ?? []) {
      const id = values[0]
      if (typeof id !== 'string' || isHere.get(id) !== undefined) continue
      const known = Object.fromEntries(columns.map((column, at) => [column, values[at]]))
      items.push({ ...nothingKnown, ...known, kind, subject_id: id, is_recovered: false } as RecoveryItem)
    }
  }
  return [...items, ...namedByOthers(db), ...brokenTranscripts(db, found), ...otherTables(found)]
}

/** Rows that name a client or a session of which there is none. */
function namedByOthers(db: Sqlite): RecoveryItem[] {
  const clients = ['sessions', 'consents', 'notes', 'insights']
    .map((table) => `select distinct client_id as id from ${table} where client_id not in (select id from clients)`)
    .join(' union ')
  const sessions = ['transcripts', 'notes', 'insights', 'recordings']
    .map((table) => `select distinct session_id as id from ${table} where session_id not in (select id from sessions)`)
    .join(' union ')
  const ids = (sql: string): string[] => db.prepare(sql).pluck().all() as string[]
  return [
    ...ids(clients).map((id) => item('client', id, { client_id: id })),
    ...ids(sessions).map((id) => item('session', id, { session_id: id })),
  ]
}

/** A transcript whose row is here though some of its turns are lost. */
function brokenTranscripts(db: Sqlite, found: ReadOut): RecoveryItem[] {
  const isHere = db.prepare('select 1 from segments where row = ?')
  const broken = new Set<string>()
  for (const [id, row] of found.indexes.get('segments_by_transcript') ?? [])
    if (typeof id === 'string' && !broken.has(id) && isHere.get(row) === undefined) broken.add(id)
  const sessionOf = db.prepare('select session_id from transcripts where id = ?').pluck()
  return [...broken].map((id) =>
    item('transcript', `${id} in part`, { session_id: (sessionOf.get(id) as string | undefined) ?? null }),
  )
}

/** Their records are known by id, or are read from the recording files again. */
const listed = new Set(['clients', 'consents', 'sessions', 'transcripts', 'segments', 'notes', 'recordings'])

/** Of these it is only known that rows may be missing. */
function otherTables({ incomplete }: ReadOut): RecoveryItem[] {
  const kinds: Readonly<Record<string, RecoveryItem['kind']>> = {
    settings: 'settings',
    templates: 'template',
    insights: 'insight',
  }
  return incomplete.filter((table) => !listed.has(table)).map((table) => item(kinds[table] ?? 'other', table, {}))
}

const item = (kind: RecoveryItem['kind'], subject_id: string, known: Partial<RecoveryItem>): RecoveryItem => ({
  ...nothingKnown,
  ...known,
  kind,
  subject_id,
  is_recovered: false,
})
