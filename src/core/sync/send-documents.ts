import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#contract/errors.ts'
import type { Note } from '#contract/model/note.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Transcript, TranscriptDraft } from '#contract/model/transcript.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { etag, failedWith, type Sending } from '#core/outbox/sending.ts'
import type { NoteRepository } from '#core/records/notes/note-repository.ts'
import { contentHash, hashAsPut, hashTranscript } from '#core/records/content-hash.ts'
import type { TemplateRepository } from '#core/records/templates/template-repository.ts'
import type { TranscriptRepository } from '#core/records/transcripts/transcript-repository.ts'
import { hashTemplate } from './merge/merge-documents.ts'
import { type Merge, requireDecided } from './merge/merge.ts'
import type { Step } from './sync-loop.ts'

interface Parts {
  readonly transcripts: TranscriptRepository
  readonly notes: NoteRepository
  readonly outbox: Pick<Outbox, 'find' | 'remember'>
  readonly merge: Pick<Merge, 'isAsked' | 'isGone' | 'refused' | 'keepCommon' | 'answeredNote'>
}

interface Versioned {
  readonly version: number
}

export function documentSenders(parts: Parts) {
  return { ...transcriptSenders(parts), ...noteSenders(parts), ...addendumSender(parts) }
}

function transcriptSenders({ transcripts, outbox, merge }: Parts) {
  return {
    async 'put-transcript'({ intent, client, options: { signal } }: Sending<'put-transcript'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const transcript = transcripts.find(params.id)
      if (transcript === null) return replaced
      requireDecided(merge, 'transcript', params.id)
      if (isLocalOnly(merge, 'transcript', params.id)) return replaced
      const hash = hashTranscript(transcript)
      const stored = await putWhole(transcripts.serviceVersion(params.id), intent.body.sent_hashes ?? [], hash, {
        remember: (sent_hashes) => outbox.remember(intent.id, { sent_hashes }),
        send: (match) =>
          client.call('putTranscript', { params, body: draftOf(transcript), signal, ...match }).then(({ data }) => data),
        current: () => client.call('getTranscript', { params, signal }).then(({ data }) => data),
        hash: hashTranscript,
        mayFollow(record: Transcript) {
          merge.refused({ kind: 'transcript', record })
          return isStillQueued(outbox, intent.id)
        },
      })
      return {
        state: 'done',
        apply() {
          transcripts.keepServiceVersion(params.id, stored.version)
          const { version, created_at, session_id } = stored
          merge.keepCommon('transcript', params.id, { version, created_at, session_id, hash: hashTranscript(stored) })
        },
      }
    },
  }
}

function noteSenders({ notes, outbox, merge }: Parts) {
  const refused = (record: Note): void => merge.refused({ kind: 'note', record })
  const stored = (id: string, note: Note): void => {
    notes.keepServiceVersion(id, note.version)
    const { version, created_at, session_id } = note
    merge.keepCommon('note', id, { version, created_at, session_id, hash: hashAsPut(note) })
  }
  return {
    async 'put-note'({ intent, client, options: { signal } }: Sending<'put-note'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const note = notes.find(params.id)
      if (note === null) return replaced
      requireDecided(merge, 'note', params.id)
      if (isLocalOnly(merge, 'note', params.id)) return replaced
      const current = (): Promise<Note> => client.call('getNote', { params, signal }).then(({ data }) => data)
      const hash = contentHash(note)
      const put = await putWhole(notes.serviceVersion(params.id), intent.body.sent_hashes ?? [], hash, {
        remember: (sent_hashes) => outbox.remember(intent.id, { sent_hashes }),
        send: (match) => client.call('putNote', { params, body: note, signal, ...match }).then(({ data }) => data),
        current,
        hash: hashAsPut,
        mayFollow(record: Note) {
          refused(record)
          return isStillQueued(outbox, intent.id)
        },
      })
      return { state: 'done', apply: () => stored(params.id, put) }
    },
    async 'sign-note'({ intent, client, options }: Sending<'sign-note'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const { signature } = intent.body
      requireDecided(merge, 'note', params.id)
      if (isLocalOnly(merge, 'note', params.id)) return replaced
      const send = (version: number): Promise<Note> =>
        client.call('signNote', { ...options, params, body: signature, ifMatch: etag(version) }).then(({ data }) => data)
      const current = (): Promise<Note> => client.call('getNote', { params, signal: options.signal }).then(({ data }) => data)
      const signed = await signOnce(notes.serviceVersion(params.id), signature.content_hash, { send, current, refused })
      const isOurs = isDeepStrictEqual(signed.signature, signature) && signed.redacted === undefined
      // Another person signed the same content first, or its source has been deleted since.
      return { state: 'done', apply: () => (isOurs ? stored(params.id, signed) : merge.answeredNote(intent, signed)) }
    },
  }
}

function addendumSender({ outbox, merge }: Parts) {
  return {
    async 'add-addendum'({ intent, client, options }: Sending<'add-addendum'>): Promise<Step> {
      const params = { id: intent.subject_id }
      if (isLocalOnly(merge, 'note', params.id)) return replaced
      const current = (): Promise<Note> => client.call('getNote', { params, signal: options.signal }).then(({ data }) => data)
      try {
        const { data } = await client.call('addAddendum', { ...options, params, body: intent.body })
        return { state: 'done', apply: () => merge.answeredNote(intent, data) }
      } catch (error) {
        if (!failedWith(error, 'already-exists', 'conflict')) throw error
        const note = await current()
        if (note.addenda.some(({ id }) => id === intent.body.id))
          return { state: 'done', apply: () => merge.answeredNote(intent, note) }
        // Another addendum came first: the local one gets a new hash, in a new intent that replaces this one.
        merge.refused({ kind: 'note', record: note })
        if (outbox.find(intent.id) !== null) throw error
        return replaced
      }
    },
  }
}

function isStillQueued(outbox: Pick<Outbox, 'find'>, id: string): boolean {
  return (outbox.find(id)?.state ?? 'needs_you') !== 'needs_you'
}

const replaced: Step = { state: 'done', apply: () => {}, isNoOp: true }

function isLocalOnly(merge: Pick<Merge, 'isAsked' | 'isGone'>, kind: 'transcript' | 'note', id: string): boolean {
  if (!merge.isGone(kind, id)) return false
  requireDecided(merge, kind, id)
  return true
}

interface Whole<Record> {
  /** Stored before sending, so that this app's version is recognized after a crash. */
  readonly remember: (sentHashes: readonly string[]) => void
  readonly send: (match: { ifMatch?: string }) => Promise<Record>
  readonly current: () => Promise<Record>
  readonly hash: (record: Record) => string
  readonly mayFollow: (record: Record) => boolean
}

/** A PUT has no idempotency key, so the service's version is compared with what earlier attempts sent. */
async function putWhole<Record extends Versioned>(
  known: number | null,
  sent: readonly string[],
  hash: string,
  service: Whole<Record>,
): Promise<Record> {
  if (!sent.includes(hash)) service.remember([...sent, hash])
  try {
    return await service.send(known === null ? {} : { ifMatch: etag(known) })
  } catch (error) {
    if (!failedWith(error, 'stale-version', 'version-required', 'already-signed')) throw error
    const current = await service.current()
    const there = service.hash(current)
    if (there === hash) return current
    const isOwn = sent.includes(there) && !failedWith(error, 'already-signed')
    if (isOwn) return service.send({ ifMatch: etag(current.version) })
    if (service.mayFollow(current)) return service.send({ ifMatch: etag(current.version) })
    throw failedWith(error, 'already-signed') ? error : new AppError('stale-version')
  }
}

interface Signing {
  readonly send: (version: number) => Promise<Note>
  readonly current: () => Promise<Note>
  readonly refused: (note: Note) => void
}

async function signOnce(known: number | null, hash: string, service: Signing): Promise<Note> {
  try {
    return await service.send(known ?? (await service.current()).version)
  } catch (error) {
    if (!failedWith(error, 'stale-version', 'already-signed', 'conflict')) throw error
    const current = await service.current()
    if (current.signature?.content_hash === hash) return current
    if (current.signature === null && [contentHash(current), hashAsPut(current)].includes(hash))
      return service.send(current.version)
    service.refused(current)
    throw error
  }
}

function draftOf({ id, session_id, language, duration_ms, speakers, segments, engine }: TranscriptDraft): TranscriptDraft {
  return { ...(id === undefined ? {} : { id }), session_id, language, duration_ms, speakers, segments, engine }
}

interface TemplateParts {
  readonly templates: TemplateRepository
  readonly merge: Pick<Merge, 'refused' | 'keepCommon' | 'isAsked'>
}

export async function sendTemplate(parts: TemplateParts, sending: SendingTemplate, more = 2): Promise<void> {
  try {
    await sendOnce(parts, sending)
  } catch (error) {
    const isAsked = parts.merge.isAsked('template', sending.id)
    // The template changed at the service between reading and sending.
    if (isAsked || more === 0 || !failedWith(error, 'stale-version', 'version-required')) throw error
    await sendTemplate(parts, sending, more - 1)
  }
}

interface SendingTemplate {
  readonly client: ServiceClient
  readonly id: string
  readonly signal: AbortSignal
}

async function sendOnce({ templates, merge }: TemplateParts, { client, id, signal }: SendingTemplate): Promise<void> {
  const stored = await client
    .call('getTemplate', { params: { id }, signal })
    .then(({ data }) => data)
    .catch((error: unknown) => {
      if (failedWith(error, 'not-found')) return null
      throw error
    })
  if (stored !== null) merge.refused({ kind: 'template', record: stored })
  if (merge.isAsked('template', id)) throw new AppError('stale-version')
  const form = templates.find(id)
  if (form === null) throw new AppError('not-found')
  if (stored !== null && hashTemplate(stored) === hashTemplate(form)) return
  const match = stored === null ? {} : { ifMatch: etag(stored.version) }
  const { data } = await client.call('putTemplate', { params: { id }, body: contentOf(form), signal, ...match })
  merge.keepCommon('template', id, { version: data.version, hash: hashTemplate(data), created_at: data.created_at })
}

const contentOf = ({ name, sections, style }: OwnTemplate) => ({ name, sections, style })
