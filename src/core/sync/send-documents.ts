import { AppError } from '#contract/errors.ts'
import type { Note } from '#contract/model/note.ts'
import { canonicalJson, canonicalNote } from '#contract/model/note-canonical.ts'
import type { TranscriptDraft } from '#contract/model/transcript.ts'
import type { NoteRepository } from '#core/notes/note-repository.ts'
import { contentHash, sha256 } from '#core/notes/note-signing.ts'
import type { TranscriptRepository } from '#core/transcripts/transcript-repository.ts'
import type { Outbox } from './outbox.ts'
import { etag, failedWith, type Sending } from './sending.ts'
import type { Step } from './sync-loop.ts'

interface Parts {
  readonly transcripts: TranscriptRepository
  readonly notes: NoteRepository
  readonly outbox: Outbox
}

interface Versioned {
  readonly version: number
}

/** Transcripts and notes, sent whole as they stand; signatures and addenda. */
export function documentSenders({ transcripts, notes, outbox }: Parts) {
  return {
    async 'put-transcript'({ intent, client, options: { signal } }: Sending<'put-transcript'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const transcript = transcripts.find(params.id)
      if (transcript === null) return replaced
      const hash = hashTranscript(transcript)
      const stored = await putWhole(transcripts.serviceVersion(params.id), intent.body.sent_hashes ?? [], hash, {
        remember: (sent_hashes) => outbox.remember(intent.id, { sent_hashes }),
        send: (match) =>
          client.call('putTranscript', { params, body: draftOf(transcript), signal, ...match }).then(({ data }) => data),
        current: () =>
          client
            .call('getTranscript', { params, signal })
            .then(({ data }) => ({ version: data.version, hash: hashTranscript(data) })),
      })
      return { state: 'done', apply: () => transcripts.keepServiceVersion(params.id, stored.version) }
    },
    async 'put-note'({ intent, client, options: { signal } }: Sending<'put-note'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const note = notes.find(params.id)
      if (note === null) return replaced
      const hash = contentHash(note)
      const stored = await putWhole(notes.serviceVersion(params.id), intent.body.sent_hashes ?? [], hash, {
        remember: (sent_hashes) => outbox.remember(intent.id, { sent_hashes }),
        send: (match) => client.call('putNote', { params, body: note, signal, ...match }).then(({ data }) => data),
        current: () =>
          client.call('getNote', { params, signal }).then(({ data }) => ({ version: data.version, hash: contentHash(data) })),
      })
      return { state: 'done', apply: () => notes.keepServiceVersion(params.id, stored.version) }
    },
    async 'sign-note'({ intent, client, options }: Sending<'sign-note'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const { signature } = intent.body
      const send = (version: number): Promise<Versioned> =>
        client.call('signNote', { ...options, params, body: signature, ifMatch: etag(version) }).then(({ data }) => data)
      const current = (): Promise<Note> => client.call('getNote', { params, signal: options.signal }).then(({ data }) => data)
      const signed = await signOnce(notes.serviceVersion(params.id), signature.content_hash, { send, current })
      return { state: 'done', apply: () => notes.keepServiceVersion(params.id, signed.version) }
    },
    async 'add-addendum'({ intent, client, options }: Sending<'add-addendum'>): Promise<Step> {
      const params = { id: intent.subject_id }
      const amended = await client
        .call('addAddendum', { ...options, params, body: intent.body })
        .then(({ data }) => data)
        .catch(async (error: unknown) => {
          if (!failedWith(error, 'already-exists')) throw error
          return (await client.call('getNote', { params, signal: options.signal })).data
        })
      return { state: 'done', apply: () => notes.keepServiceVersion(params.id, amended.version) }
    },
  }
}

/** Another transcript or note has taken its place, and its own intent brings that one. */
const replaced: Step = { state: 'done', apply: () => {} }

interface Whole {
  /** Kept before it is sent, so that one's own version is known again after a crash. */
  readonly remember: (sentHashes: readonly string[]) => void
  readonly send: (match: { ifMatch?: string }) => Promise<Versioned>
  readonly current: () => Promise<Versioned & { hash: string }>
}

/** A PUT has no idempotency key: what the service holds is compared with what earlier attempts sent. */
async function putWhole(known: number | null, sent: readonly string[], hash: string, service: Whole): Promise<Versioned> {
  if (!sent.includes(hash)) service.remember([...sent, hash])
  try {
    return await service.send(known === null ? {} : { ifMatch: etag(known) })
  } catch (error) {
    if (!failedWith(error, 'stale-version', 'version-required')) throw error
    const current = await service.current()
    if (current.hash === hash) return current
    if (!sent.includes(current.hash)) throw new AppError('stale-version')
    return service.send({ ifMatch: etag(current.version) })
  }
}

/** Signed once and for the same content: the hash says whether the service holds what was signed here. */
async function signOnce(
  known: number | null,
  hash: string,
  service: { send: (version: number) => Promise<Versioned>; current: () => Promise<Note> },
): Promise<Versioned> {
  try {
    return await service.send(known ?? (await service.current()).version)
  } catch (error) {
    if (!failedWith(error, 'stale-version', 'already-signed')) throw error
    const current = await service.current()
    if (current.signature !== null) {
      if (current.signature.content_hash === hash) return current
      throw error
    }
    if (sha256(canonicalNote(current)) !== hash) throw error
    return service.send(current.version)
  }
}

function draftOf({ id, session_id, language, duration_ms, speakers, segments, engine }: TranscriptDraft): TranscriptDraft {
  return { ...(id === undefined ? {} : { id }), session_id, language, duration_ms, speakers, segments, engine }
}

function hashTranscript(transcript: TranscriptDraft): string {
  const { session_id, language, duration_ms, speakers, segments, engine } = transcript
  return sha256(canonicalJson({ session_id, language, duration_ms, speakers, segments, engine }))
}
