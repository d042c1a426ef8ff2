import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Handlers } from '#contract/bridge/methods.ts'
import { isSample } from '#contract/bridge/sample.ts'
import { AppError } from '#contract/errors.ts'
import { clientSchema } from '#contract/model/client.ts'
import { consentSchema } from '#contract/model/consent.ts'
import { noteSchema } from '#contract/model/note.ts'
import { sessionSchema } from '#contract/model/session.ts'
import { transcriptSchema } from '#contract/model/transcript.ts'
import { systemTimeZone } from '#base/clock.ts'
import type { Recordings } from '#core/recordings/recordings.ts'
import { contentHash } from '../content-hash.ts'
import type { RecordParts } from '../repositories.ts'
import { endOf } from '../sessions/change-session.ts'

interface Parts extends RecordParts {
  readonly resources: string
  readonly recordings: Pick<Recordings, 'add' | 'remove'>
  readonly migration: { get(): object | null }
}

const sampleSchema = z.object({
  client: clientSchema,
  consent: consentSchema,
  session: sessionSchema,
  transcript: transcriptSchema,
  note: noteSchema,
  recording_id: z.string(),
  /** Peak and RMS of each record of sound. */
  levels: z.array(z.tuple([z.number(), z.number()])),
})
type Sample = z.infer<typeof sampleSchema>

const HOUR = 3_600_000
const kinds = ['clients', 'sessions', 'consents', 'recordings', 'transcripts', 'notes'] as const

export function createSample(parts: Parts) {
  const { db, clock, change, resources, recordings, isRemote, migration } = parts
  const added = (table: 'clients' | 'recordings'): string | undefined =>
    (db.prepare(`select id from ${table}`).pluck().all() as string[]).find(isSample)
  const remove = (): void => {
    const [client, recording] = [added('clients'), added('recordings')]
    if (client === undefined) return
    if (recording !== undefined) recordings.remove(recording)
    change(kinds, ({ audit }) => {
      removeRows(parts, client)
      audit({ action: 'sample.removed', subject_id: client })
    })
  }
  const handlers: Handlers<'sample.add' | 'sample.remove'> = {
    async 'sample.add'() {
      if (isRemote() || migration.get() !== null)
        throw new AppError('conflict', 'The sample is only for records kept on this computer.')
      const read = (name: string): Promise<Buffer> => readFile(join(resources, 'sample', name))
      const sample = sampleSchema.parse(JSON.parse((await read('session.json')).toString()))
      const session_id = sample.session.id
      if (added('clients') !== undefined) return { session_id }
      const started_at = new Date(Math.floor(clock.now() / HOUR - 24) * HOUR).toISOString()
      addRows(parts, sample, started_at)
      try {
        await recordings.add({
          id: sample.recording_id,
          session_id,
          started_at,
          packets: await read('session.packets'),
          levels: sample.levels,
        })
      } catch (error) {
        remove()
        throw error
      }
      return { session_id }
    },
    'sample.remove': () => {
      remove()
      return {}
    },
  }
  return { handlers, remove }
}

function addRows(parts: Parts, { client, consent, session, transcript, note }: Sample, starts_at: string): void {
  const { clients, consents, sessions, transcripts, notes, change, settings } = parts
  const clinician_id = settings().therapist_id
  change(kinds, ({ at, audit }) => {
    const made = { created_at: at, updated_at: at }
    clients.insert({ ...client, clinician_id, ...made })
    consents.insert({ ...consent, given_at: starts_at, ...made })
    const minutes = Math.ceil((transcript.duration_ms ?? 0) / 60_000)
    const finished_at = new Date(Date.parse(starts_at) + minutes * 60_000).toISOString()
    const times = { starts_at, started_at: starts_at, finished_at, time_zone: systemTimeZone() }
    sessions.insert({ ...session, ...times, ends_at: endOf({ ...session, starts_at }), clinician_id, ...made })
    transcripts.put({ ...transcript, session_id: session.id, ...made }, starts_at, null)
    const signature = {
      by: consent.witness ?? '',
      credential: null,
      at,
      method: 'click' as const,
      content_hash: contentHash(note),
    }
    notes.replace({ ...note, session_id: session.id, client_id: client.id, signature, ...made }, null)
    audit({ action: 'sample.added', subject_id: client.id })
  })
}

/** Deletes whatever any table has of the client, also what was added to it since. The audit log stays. */
function removeRows({ db }: Parts, clientId: string): void {
  db.pragma('defer_foreign_keys = on')
  const sessions = db.prepare('select id from sessions where client_id = ?').pluck().all(clientId)
  const ofSessions = db.prepare('select id from recordings where session_id in (select value from json_each(?))').pluck()
  const recordings = ofSessions.all(JSON.stringify(sessions))
  const ids: Readonly<Record<string, unknown[]>> = { client_id: [clientId], session_id: sessions, recording_id: recordings }
  const found = db.prepare(`
    select tables.name as of, columns.name as by from pragma_table_list as tables, pragma_table_info(tables.name) as columns
    where tables.schema = 'main' and tables.type = 'table' and tables.name <> 'audit'
      and columns.name in ('client_id', 'session_id', 'recording_id')`)
  for (const { of, by } of found.all() as { of: string; by: string }[])
    db.prepare(`delete from ${of} where ${by} in (select value from json_each(?))`).run(JSON.stringify(ids[by]))
  db.prepare('delete from clients where id = ?').run(clientId)
  db.prepare('delete from kept_answers where instr(question, ?) > 0').run(clientId)
}
