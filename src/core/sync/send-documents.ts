import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#contract/errors.ts'
import type { Note } from '#contract/model/note.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import type { Transcript, TranscriptDraft } from '#contract/model/transcript.ts'
import type { ServiceClient } from '#client/client.ts'
import type { StoredIntent } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { dataIn, failedWith, type Sending } from '#core/outbox/sending.ts'
import { contentHash, hashAsPut, hashTranscript } from '#core/records/content-hash.ts'
import type { Repositories } from '#core/records/repositories.ts'
import type { LocalOnly } from './capabilities/local-only.ts'
import { requireDecided } from './merge/conflict-repository.ts'
import { hashTemplate } from './merge/merge-documents.ts'
import type { Merge } from './merge/merge.ts'
import type { Step } from './sync-loop.ts'
import { existing } from '#core/records/change.ts'

interface Parts extends Pick<Repositories, 'transcripts' | 'notes'> {
  readonly outbox: Pick<Outbox, 'find' | 'remember'>
  readonly merge: Pick<Merge, 'isAsked' | 'refused' | 'keepCommon' | 'answeredNote'>
  readonly localOnly: Pick<LocalOnly, 'isNotRepresentable' | 'keep'>
}

export const documentSenders = (parts: Parts) => ({ ...putSenders(parts), ...signingSenders(parts) })

function putSenders(parts: Parts) {
  return {
    'put-transcript'(sending: Sending<'put-transcript'>): Promise<Step> {
      const { client, options } = sending
      const about = { params: { id: sending.intent.subject_id }, signal: options.signal }
      return putDocument(parts, sending, {
        kind: 'transcript',
        of: parts.transcripts,
        hash: hashTranscript,
        hashAsPut: hashTranscript,
        put: (transcript, match) => dataIn(client.call('putTranscript', { ...about, body: draftOf(transcript), ...match })),
        current: () => dataIn(client.call('getTranscript', about)),
      })
    },
    'put-note'(sending: Sending<'put-note'>): Promise<Step> {
      const { client, options } = sending
      const about = { params: { id: sending.intent.subject_id }, signal: options.signal }
      return putDocument(parts, sending, {
        kind: 'note',
        of: parts.notes,
        hash: contentHash,
        hashAsPut,
        put: (body, match) => dataIn(client.call('putNote', { ...about, body, ...match })),
        current: () => dataIn(client.call('getNote', about)),
      })
    },
  }
}

interface Document<Kept extends Note | Transcript> {
  readonly kind: 'note' | 'transcript'
  readonly of: Pick<Repositories['notes'], 'serviceVersion' | 'keepServiceVersion'> & { find(id: string): Kept | null }
  readonly hash: (mine: Kept) => string
  readonly hashAsPut: (theirs: Kept) => string
  readonly put: (mine: Kept, match: { ifMatch?: number }) => Promise<Kept>
  readonly current: () => Promise<Kept>
}

/** A PUT has no idempotency key, so the service's version is compared with what earlier attempts sent. */
async function putDocument<Kept extends Note | Transcript>(
  { outbox, merge, localOnly }: Parts,
  { intent }: Sending<'put-transcript' | 'put-note'>,
  { kind, of, ...document }: Document<Kept>,
): Promise<Step> {
  const id = intent.subject_id
  const mine = of.find(id)
  if (mine === null) return replaced
  if ('signature' in mine && mine.signature !== null && localOnly.isNotRepresentable(intent)) return kept(localOnly, intent)
  requireDecided(merge, kind, id)
  const hash = document.hash(mine)
  const sent = intent.body.sent_hashes ?? []
  // Stored before sending, so that this app's version is recognized after a crash.
  if (!sent.includes(hash)) outbox.remember(intent.id, { sent_hashes: [...sent, hash] })
  const known = of.serviceVersion(id)
  const stored = await document.put(mine, known === null ? {} : { ifMatch: known }).catch(async (error: unknown) => {
    if (!failedWith(error, 'stale-version', 'version-required', 'already-signed')) throw error
    const current = await document.current()
    const there = document.hashAsPut(current)
    if (there === hash) return current
    const isSigned = error.code === 'already-signed'
    if (isSigned || !sent.includes(there)) {
      merge.refused({ kind, record: current } as Parameters<Merge['refused']>[0])
      if ((outbox.find(intent.id)?.state ?? 'needs_you') === 'needs_you') throw isSigned ? error : new AppError('stale-version')
    }
    return document.put(mine, { ifMatch: current.version })
  })
  return {
    state: 'done',
    apply() {
      of.keepServiceVersion(id, stored.version)
      const { version, created_at, session_id } = stored
      merge.keepCommon(kind, id, { version, created_at, session_id, hash: document.hashAsPut(stored) })
    },
  }
}

function signingSenders({ notes, outbox, merge, localOnly }: Parts) {
  const refused = (record: Note): void => merge.refused({ kind: 'note', record })
  return {
    async 'sign-note'({ intent, client, options }: Sending<'sign-note'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const { signature } = intent.body
      if (localOnly.isNotRepresentable(intent)) return kept(localOnly, intent)
      requireDecided(merge, 'note', params.id)
      const send = (version: number): Promise<Note> =>
        dataIn(client.call('signNote', { ...options, params, body: signature, ifMatch: version }))
      const current = (): Promise<Note> => dataIn(client.call('getNote', { params, signal: options.signal }))
      const signed = await signOnce(notes.serviceVersion(params.id), signature.content_hash, { send, current, refused })
      const isOurs = isDeepStrictEqual(signed.signature, signature) && signed.redacted === undefined && signed.status === 'signed'
      return {
        state: 'done',
        apply() {
          // Another person signed the same content first, quotes have been deleted since, or a cosignature is needed.
          if (!isOurs) return merge.answeredNote(intent, signed)
          const { version, created_at, session_id } = signed
          notes.keepServiceVersion(params.id, version)
          merge.keepCommon('note', params.id, { version, created_at, session_id, hash: hashAsPut(signed) })
        },
      }
    },
    async 'add-addendum'({ intent, client, options }: Sending<'add-addendum'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const answered = (note: Note): Step => ({ state: 'done', apply: () => merge.answeredNote(intent, note) })
      if (localOnly.isNotRepresentable(intent)) return kept(localOnly, intent)
      try {
        return answered(await dataIn(client.call('addAddendum', { ...options, params, body: intent.body })))
      } catch (error) {
        if (!failedWith(error, 'already-exists', 'conflict')) throw error
        const note = await dataIn(client.call('getNote', { params, signal: options.signal }))
        if (note.addenda.some(({ id }) => id === intent.body.id)) return answered(note)
        // Another addendum may have come first. Merging then replaces this intent with one that has a new hash.
        refused(note)
        if (outbox.find(intent.id) !== null) throw error
        return replaced
      }
    },
  }
}

/** Nothing is left to send, e.g. because another intent replaced this one. */
export const replaced: Step = { state: 'done', apply: () => {}, isNoOp: true }

const kept = (localOnly: Parts['localOnly'], intent: StoredIntent): Step => ({
  state: 'done',
  apply: () => localOnly.keep(intent),
})

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

type TemplateParts = Pick<Repositories, 'templates'> & { readonly merge: Pick<Merge, 'refused' | 'keepCommon' | 'isAsked'> }

export async function sendTemplate(parts: TemplateParts, sending: SendingTemplate, more = 2): Promise<void> {
  try {
    await sendOnce(parts, sending)
  } catch (error) {
    const isAsked = parts.merge.isAsked('template', sending.id)
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
  const stored = await dataIn(client.call('getTemplate', { params: { id }, signal })).catch((error: unknown) => {
    if (failedWith(error, 'not-found')) return null
    throw error
  })
  if (stored !== null) merge.refused({ kind: 'template', record: stored })
  requireDecided(merge, 'template', id)
  const form = existing(templates.find(id))
  if (stored !== null && hashTemplate(stored) === hashTemplate(form)) return
  const match = stored === null ? {} : { ifMatch: stored.version }
  const { data } = await client.call('putTemplate', { params: { id }, body: contentOf(form), signal, ...match })
  merge.keepCommon('template', id, { version: data.version, hash: hashTemplate(data), created_at: data.created_at })
}

const contentOf = ({ name, sections, style }: OwnTemplate) => ({ name, sections, style })
