import { AppError } from '#contract/errors.ts'
import type { Note } from '#contract/model/note.ts'
import type { SessionNote } from '#core/records/notes/note-repository.ts'
import { isSignedOverErased, withoutQuotes } from '#core/records/notes/note-signing.ts'
import { etag, failedWith } from '#core/outbox/sending.ts'
import { differing, hashOf, noteFingerprint, templateThere, transcriptThere } from './content.ts'
import { orNull } from './upload-records.ts'
import type { Uploading, Uploaded, Compared, Unpushed } from './content.ts'

interface Versioned {
  readonly version: number
}

interface Whole {
  readonly hash: string
  readonly local_version: number
  readonly put: (match: { ifMatch?: string }) => Promise<Versioned>
  readonly current: () => Promise<Versioned & { readonly hash: string }>
}

/** Number of sent versions to remember, in case responses are lost. */
const MAX_REMEMBERED = 8

/** If the target has a version we never sent, keep it and report the difference, unless `over` is set. */
async function uploadWhole({ target, record, remember }: Uploading, whole: Whole | null): Promise<Uploaded | null> {
  if (whole === null) return null
  const { hash, local_version } = whole
  const before = Array.isArray(record.sent) ? (record.sent as string[]) : []
  const sent = [...before.filter((one) => one !== hash), hash].slice(-MAX_REMEMBERED)
  remember(sent)
  const stored = await putOrNull(whole, record.there_version === null ? {} : { ifMatch: etag(record.there_version) })
  if (stored !== null) return { local_version, version: stored.version, sent, differing: [] }
  const current = await whole.current()
  if (current.hash === hash) return { local_version, version: current.version, sent, differing: [] }
  if (!target.over && !before.includes(current.hash))
    return { local_version, version: current.version, sent: before, differing: ['content'] }
  const replaced = await whole.put({ ifMatch: etag(current.version) })
  return { local_version, version: replaced.version, sent, differing: [] }
}

async function putOrNull(whole: Whole, match: { ifMatch?: string }): Promise<Versioned | null> {
  try {
    return await whole.put(match)
  } catch (error) {
    if (failedWith(error, 'stale-version', 'version-required', 'already-signed')) return null
    throw error
  }
}

export const uploadTemplate = (bringing: Uploading): Promise<Uploaded | null> => uploadWhole(bringing, templateIn(bringing))
export const compareTemplate = (bringing: Uploading): Promise<Compared> => compareWhole(templateIn(bringing))
export const uploadTranscript = (bringing: Uploading): Promise<Uploaded | null> => uploadWhole(bringing, transcriptIn(bringing))
export const compareTranscript = (bringing: Uploading): Promise<Compared> => compareWhole(transcriptIn(bringing))

function templateIn({ own, target: { client, signal }, record: { id } }: Uploading): Whole | null {
  const here = own.templates.find(id)
  if (here === null) return null
  const body = templateThere(here)
  const params = { id }
  return {
    hash: hashOf(body),
    local_version: here.version,
    put: (match) => client.call('putTemplate', { params, body, signal, ...match }).then(({ data }) => data),
    current: () =>
      client
        .call('getTemplate', { params, signal })
        .then(({ data }) => ({ version: data.version, hash: hashOf(templateThere(data)) })),
  }
}

function transcriptIn({ own, target: { client, signal }, record: { id } }: Uploading): Whole | null {
  const here = own.transcripts.find(id)
  if (here === null) return null
  const body = transcriptThere(here)
  const params = { id }
  return {
    hash: hashOf(body),
    local_version: here.version,
    put: (match) => client.call('putTranscript', { params, body: { ...body, id }, signal, ...match }).then(({ data }) => data),
    current: () =>
      client
        .call('getTranscript', { params, signal })
        .then(({ data }) => ({ version: data.version, hash: hashOf(transcriptThere(data)) })),
  }
}

async function compareWhole(kind: Whole | null): Promise<Compared> {
  const there = kind && (await orNull(kind.current()))
  return kind && there && { version: there.version, differing: there.hash === kind.hash ? [] : ['content'] }
}

/** Sends the content, then the signature, then addenda, all with their original data. */
export async function uploadNote(bringing: Uploading): Promise<Uploaded | Unpushed | null> {
  const { own, target, record } = bringing
  const here = own.notes.find(record.id)
  if (here === null) return null
  if (isSignedOverErased(here)) return uploadErased(bringing, here)
  const { client, signal } = target
  const params = { id: record.id }
  const { content } = noteFingerprint(here)
  const words = await uploadWhole(bringing, {
    hash: String(content),
    local_version: here.version,
    put: (match) => client.call('putNote', { params, body: here, signal, ...match }).then(({ data }) => data),
    current: () =>
      client
        .call('getNote', { params, signal })
        .then(({ data }) => ({ version: data.version, hash: String(noteFingerprint(data).content) })),
  })
  if (words === null || words.differing.length > 0 || here.signature === null) return words
  const there = (await client.call('getNote', { params, signal })).data
  const signed = await withAddenda(target, here, await withSignature(target, here, there))
  return { ...words, version: signed.version, differing: differing(signed, signaturesOf(here)) }
}

/** The signed text was erased, so the signature can't be sent; the note must already be signed on the target. */
async function uploadErased({ target, record }: Uploading, here: SessionNote): Promise<Uploaded | Unpushed> {
  const { client, signal } = target
  const there = await orNull(client.call('getNote', { params: { id: record.id }, signal }).then(({ data }) => data))
  if (there === null || there.signature?.content_hash !== here.signature?.content_hash) return { problem: 'signed-over-erased' }
  const after = await withAddenda(target, here, there)
  const sent = [String(noteFingerprint(here).content)]
  return { local_version: here.version, version: after.version, sent, differing: differing(after, signaturesOf(here)) }
}

export async function compareNote({ own, target: { client, signal }, record: { id } }: Uploading): Promise<Compared> {
  const here = own.notes.find(id)
  const there = here && (await orNull(client.call('getNote', { params: { id }, signal }).then(({ data }) => data)))
  if (here === null || there === null) return null
  return { version: there.version, differing: differing(noteFingerprint(asErased(here, there)), noteFingerprint(here)) }
}

/** Apply local erasure to the target's copy before comparing. */
function asErased(here: SessionNote, there: Note): Note {
  return here.redacted !== undefined && isSignedOverErased(here) ? withoutQuotes(there, here.redacted.at) : there
}

const signaturesOf = ({ signature, addenda }: SessionNote) => ({ signature, addenda })

async function withSignature({ client, signal }: Uploading['target'], here: SessionNote, there: Note): Promise<Note> {
  if (there.signature !== null || here.signature === null) return there
  try {
    const sent = { params: { id: here.id }, body: here.signature, ifMatch: etag(there.version), signal }
    return (await client.call('signNote', sent)).data
  } catch (error) {
    if (!failedWith(error, 'already-signed', 'stale-version')) throw error
    const now = (await client.call('getNote', { params: { id: here.id }, signal })).data
    if (now.signature === null) throw new AppError('stale-version', undefined, [], { cause: error })
    return now
  }
}

async function withAddenda({ client, signal }: Uploading['target'], here: SessionNote, there: Note): Promise<Note> {
  let after = there
  for (const addendum of here.addenda) {
    if (after.addenda.some(({ id }) => id === addendum.id)) continue
    after = (await client.call('addAddendum', { params: { id: here.id }, body: addendum, signal })).data
  }
  return after
}
