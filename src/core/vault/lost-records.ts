import type { ReadOut } from '#base/read-out.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { Note } from '#contract/model/note.ts'
import { inPart, lostItem, type RecoveryItem } from './recovery-report.ts'

type Kind = 'client' | 'consent' | 'session' | 'transcript' | 'note'

const indexes = {
  clients_versions: ['client', 'clients', ['client_id', 'date']],
  consents_versions: ['consent', 'consents', ['id', 'client_id', 'date']],
  sessions_versions: ['session', 'sessions', ['session_id', 'client_id', 'date']],
  transcripts_versions: ['transcript', 'transcripts', ['id', 'session_id']],
  notes_listed: ['note', 'notes', ['id', 'session_id', 'client_id', 'status']],
} as const satisfies Record<string, readonly [Kind, string, readonly string[]]>

export const wantedIndexes = [...Object.keys(indexes), 'segments_by_transcript']

type Known = Partial<Pick<RecoveryItem, 'client_id' | 'session_id' | 'date'>> & { readonly status?: Note['status'] }

const isSigned = (status: Note['status']): boolean => !['draft', 'in_review', 'returned'].includes(status)

export function lostRecords(db: Sqlite, found: ReadOut): RecoveryItem[] {
  const items: RecoveryItem[] = []
  for (const [index, [kind, table, columns]] of Object.entries(indexes)) {
    const isHere = db.prepare(`select 1 from ${table} where id = ?`)
    for (const values of found.indexes.get(index) ?? []) {
      const id = values[0]
      if (typeof id !== 'string' || isHere.get(id) !== undefined) continue
      const known = Object.fromEntries(columns.map((column, at) => [column, values[at]]))
      const { client_id = null, session_id = null, date = null, status } = known as Known
      items.push(lostItem(kind, id, { client_id, session_id, date, is_signed: status !== undefined && isSigned(status) }))
    }
  }
  return [...items, ...namedByOthers(db), ...brokenTranscripts(db, found), ...otherTables(db, found)]
}

function namedByOthers(db: Sqlite): RecoveryItem[] {
  const clients = ['sessions', 'consents', 'notes', 'insights']
    .map((table) => `select distinct client_id as id from ${table} where client_id not in (select id from clients)`)
    .join(' union ')
  const sessions = ['transcripts', 'notes', 'insights', 'recordings']
    .map((table) => `select distinct session_id as id from ${table} where session_id not in (select id from sessions)`)
    .join(' union ')
  const ids = (sql: string): string[] => db.prepare(sql).pluck().all() as string[]
  return [
    ...ids(clients).map((id) => lostItem('client', id, { client_id: id })),
    ...ids(sessions).map((id) => lostItem('session', id, { session_id: id })),
  ]
}

function brokenTranscripts(db: Sqlite, found: ReadOut): RecoveryItem[] {
  const isHere = db.prepare('select 1 from segments where row = ?')
  const broken = new Set<string>()
  for (const [id, row] of found.indexes.get('segments_by_transcript') ?? [])
    if (typeof id === 'string' && !broken.has(id) && isHere.get(row) === undefined) broken.add(id)
  const sessionOf = db.prepare('select session_id from transcripts where id = ?').pluck()
  return [...broken].map((id) =>
    lostItem('transcript', inPart(id), { session_id: (sessionOf.get(id) as string | undefined) ?? null }),
  )
}

export const kindsOfMany = {
  clients: 'clients',
  consents: 'consents',
  sessions: 'sessions',
  transcripts: 'transcripts',
  segments: 'transcripts',
  notes: 'notes',
} as const

export const kindsOfOne = {
  settings: 'settings',
  templates: 'template',
  insights: 'insight',
  cue_decisions: 'insight',
  recording_marks: 'bookmark',
} as const

const kinds: Readonly<Record<string, RecoveryItem['kind']>> = {
  ...kindsOfMany,
  ...kindsOfOne,
  speaker_facts: 'other',
  conflicts: 'other',
  outbox: 'other',
  audit: 'other',
}

const seldom = { templates: 'template.%', insights: 'insights.%', cue_decisions: 'insights.decided' } as const

function otherTables(db: Sqlite, { incomplete }: ReadOut): RecoveryItem[] {
  const done = db.prepare('select 1 from audit where action like ?')
  const wasUsed = (table: string): boolean =>
    !(table in seldom) ||
    db.prepare(`select 1 from ${table}`).get() !== undefined ||
    done.get(seldom[table as keyof typeof seldom]) !== undefined
  return incomplete.filter((table) => table in kinds && wasUsed(table)).map((table) => lostItem(kinds[table]!, table))
}
