import type { Conflict } from '#contract/bridge/conflicts.ts'
import { type Client, clientDraftSchema } from '#contract/model/client.ts'
import type { Consent } from '#contract/model/consent.ts'
import { type Note, noteBodySchema } from '#contract/model/note.ts'
import { type Session, sessionDraftSchema } from '#contract/model/session.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import { type Transcript, transcriptDraftSchema } from '#contract/model/transcript.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Laptop } from './laptop.ts'

/** All records of one place. */
export interface Records {
  /** By kind and id, what they say. */
  readonly byId: Map<string, unknown>
  /** What stands in each field that the ledger knows; first in the record, then on the other side of a conflict about it. */
  readonly fields: Map<string, unknown[]>
  readonly notes: Map<string, Note>
  readonly revoked: Set<string>
}

interface Read {
  readonly clients: readonly Client[]
  readonly sessions: readonly Session[]
  readonly consents: readonly Consent[]
  readonly transcripts: readonly Transcript[]
  readonly notes: readonly Note[]
  /** A form reaches the service with the first note that is drafted in it. */
  readonly templates: readonly OwnTemplate[]
  readonly conflicts: readonly Conflict[]
}

/** Of a session there is one transcript and one note at a time, whatever their ids. */
export const wordsOf = (transcript: Transcript | null) => transcript?.segments.map(({ text }) => text) ?? null
export const textOf = (note: Note | null) => note?.sections.map(({ statements }) => statements.map(({ text }) => text)) ?? null

/** All that somebody said or wrote in it. */
export function textsOf(document: Transcript | Note): string[] {
  if ('segments' in document) return wordsOf(document)!
  return [...textOf(document)!.flat(), ...document.addenda.map(({ text }) => text)]
}

function recordsOf(read: Read): Records {
  const records: Records = { byId: new Map(), fields: new Map(), notes: new Map(), revoked: new Set() }
  const { byId, fields, notes, revoked } = records
  for (const client of read.clients) {
    byId.set(`client ${client.id}`, clientDraftSchema.parse(client))
    for (const [name, value] of Object.entries(client)) fields.set(`client ${client.id} ${name}`, [value])
  }
  for (const session of read.sessions) {
    const { id, started_at, finished_at, ends_at } = session
    byId.set(`session ${id}`, { ...sessionDraftSchema.parse(session), started_at, finished_at, ends_at })
    for (const [name, value] of Object.entries(session)) fields.set(`session ${id} ${name}`, [value])
  }
  for (const consent of read.consents) {
    const { id, version: _, created_at: __, updated_at: ___, ...said } = consent
    byId.set(`consent ${id}`, said)
    if (consent.revoked_at !== null) revoked.add(id)
  }
  for (const transcript of read.transcripts) {
    byId.set(`transcript ${transcript.id}`, transcriptDraftSchema.parse(transcript))
    if (isNewest(read.transcripts, transcript)) fields.set(`session ${transcript.session_id} words`, [wordsOf(transcript)])
  }
  for (const note of read.notes) {
    const { status, signature, addenda } = note
    byId.set(`note ${note.id}`, { ...noteBodySchema.parse(note), status, signature, addenda })
    if (isNewest(read.notes, note)) fields.set(`session ${note.session_id} note`, [textOf(note)])
    notes.set(note.id, note)
  }
  for (const { id, name } of read.templates) fields.set(`template ${id} name`, [name])
  for (const conflict of read.conflicts)
    for (const [field, ...sides] of sidesOf(conflict)) fields.set(field, [...(fields.get(field) ?? []), ...sides])
  return records
}

/** Fields that somebody is asked about: here, and elsewhere. */
export function sidesOf(conflict: Conflict): [field: string, mine: unknown, theirs: unknown][] {
  if (conflict.kind === 'fields') {
    const id = conflict.record === 'client' ? conflict.client_id : conflict.session_id
    return conflict.fields.map(({ name, mine, theirs }) => [`${conflict.record} ${id} ${name}`, mine, theirs])
  }
  if (conflict.kind !== 'document') return []
  const { record, mine, theirs, session_id } = conflict
  if (record === 'note') return [[`session ${session_id} note`, textOf(mine), textOf(theirs)]]
  if (record === 'transcript') return [[`session ${session_id} words`, wordsOf(mine), wordsOf(theirs)]]
  return [[`template ${mine.id} name`, mine.name, theirs.name]]
}

function isNewest(all: readonly (Transcript | Note)[], one: Transcript | Note): boolean {
  return !all.some(({ session_id, created_at }) => session_id === one.session_id && created_at > one.created_at)
}

export async function recordsOn({ call }: Laptop): Promise<Records> {
  const clients = (await call('clients.list', {})).map(({ client }) => client)
  const sessions = (await call('sessions.list', {})).map(({ session }) => session)
  const consents = []
  for (const { id } of clients) consents.push(...(await call('consents.list', { client_id: id })))
  const transcripts = []
  const notes = []
  for (const { id } of sessions) {
    const { transcript } = await call('transcripts.get', { session_id: id })
    if (transcript !== null) transcripts.push(transcript)
    const { note } = await call('notes.get', { session_id: id })
    if (note !== null) notes.push(note)
  }
  const templates = await call('templates.list', {})
  const conflicts = await call('conflicts.list', {})
  return recordsOf({ clients, sessions, consents, transcripts, notes, templates, conflicts })
}

export async function allOf<Item>(client: ServiceClient, list: OperationId): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 200, ...(cursor === undefined ? {} : { cursor }) }
    const { data } = await client.call(list, { query } as never)
    const page = data as { data: Item[]; next_cursor: string | null }
    items.push(...page.data)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return items
}

export async function recordsAtService(client: ServiceClient): Promise<Records> {
  return recordsOf({
    clients: await allOf(client, 'listClients'),
    sessions: await allOf(client, 'listSessions'),
    consents: await allOf(client, 'listConsents'),
    transcripts: await allOf(client, 'listTranscripts'),
    notes: await allOf(client, 'listNotes'),
    templates: [],
    conflicts: [],
  })
}
