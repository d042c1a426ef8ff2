import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import { getReached, requireReach, rowsWithin } from '#service/access/reach.ts'
import { requireConsent } from '#service/access/consent.ts'
import { type Call, type Effect, foundReply, type HandlersOf, pageReply, putReply, queueOperation } from '#service/access/call.ts'
import type { Services } from './services.ts'
import type { TranscribeTask } from '../jobs/transcribe.ts'
import { checkAudio, fileKindOf, kindOf } from '#engines/speech/audio-source.ts'
import { planSpeech } from '#engines/speech/plan.ts'
import { dropKeptPieces, KEPT_FOR_MS, listTranscripts, putTranscript, takeOverPieces } from '../store/transcripts.ts'
import { changeSent, findUpload, insertUpload, type Upload } from '../store/uploads.ts'
import type { Write } from '../store/tables.ts'
import { requireWhole, openUpload } from '../uploads/complete.ts'
import { invalid, NotFound, requirePutVersion } from '#service/kernel/problem.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { changed, isKept, newRecord } from '../store/records.ts'
import { checkAnswer } from '#service/kernel/answer-check.ts'
import { routes } from '#contract/rest/routes.ts'
import type { SentUpload } from '#contract/model/documentation-requests.ts'
import type { tus } from '../uploads/tus.ts'

type Transcribe = 'transcribe' | 'transcribeWithSpeakers'
const MAX_INLINE = 700 * 1024

export function transcribeHandlers(services: Services): HandlersOf<Transcribe> {
  return {
    transcribe: (call) => start(services, call, 'transcribe'),
    transcribeWithSpeakers: (call) => start(services, call, 'transcribeWithSpeakers'),
  }
}

async function start(services: Services, call: Call<Transcribe>, route: Transcribe): Promise<Effect<never>> {
  const { body, practice } = call
  if ('upload_id' in body.audio) await requireWhole(services, call, body.audio.upload_id)
  const sent = 'content' in body.audio ? inline(body.audio) : null
  return async (db) => {
    const upload = sent === null ? await namedUpload(db, call) : await hold(db, services, call, sent)
    // Consent for one session does not cover another session's audio.
    if (body.session_id !== undefined && upload.session_id !== null && body.session_id !== upload.session_id) {
      throw invalid('/session_id', 'mismatch', 'not the session of this audio')
    }
    const sessionId = body.session_id ?? upload.session_id
    const session = sessionId === null ? null : await getReached(db, call, 'sessions', sessionId)
    const consent = await requireConsent(db, practice, services.consentPolicy, session, 'transcribe')
    if (call.caller.is_test) throw new AppError('engine-not-ready', 'A test key reaches sandbox engines alone; speech has none.')
    const { identity, words } = planSpeech(services.speech(), services.installed && (await services.installed(db)))
    fileKindOf(upload.media_type, upload.bytes, words.kind === 'server')
    const task: TranscribeTask = {
      upload_id: upload.id,
      session_id: sessionId,
      language: body.language ?? null,
      vocabulary: body.vocabulary,
      with_speakers: route === 'transcribeWithSpeakers',
      voices: body.speakers?.max ?? null,
      reduce_noise: body.reduce_noise,
      engine: [...identity],
    }
    const payload = JSON.stringify(task)
    const operation = await queueOperation(db, services.clock, call, { kind: 'transcribe', route, payload, consent })
    await changeSent(db, practice, upload.id, { operation_id: operation })
    await dropKeptPieces(db, new Date(services.clock.now() - KEPT_FOR_MS).toISOString())
    await takeOverPieces(db, { id: operation, practice_id: practice, payload })
    return { operation, consent, touched: [operation, upload.id, ...(sessionId === null ? [] : [sessionId])] }
  }
}

async function namedUpload(db: Write, { body, practice }: Call<Transcribe>): Promise<Upload> {
  if (!('upload_id' in body.audio)) throw new AppError('not-found')
  const upload = await findUpload(db, practice, body.audio.upload_id)
  if (upload === null) throw new NotFound(body.audio.upload_id)
  return upload
}

async function hold(db: Write, { clock }: Services, { practice, now }: Call<Transcribe>, sent: Sent): Promise<Upload> {
  const { media_type, bytes } = sent
  const upload: Upload = { id: newId(clock), session_id: null, recording_id: null, media_type, bytes: bytes.length }
  await insertUpload(db, practice, upload, bytes, now)
  return upload
}

interface Sent {
  readonly bytes: Buffer
  readonly media_type: string
}

function inline({ content, media_type }: { content: string; media_type: string }): Sent {
  const kind = kindOf(media_type)
  const bytes = Buffer.from(content, 'base64')
  if (bytes.length > MAX_INLINE) throw new AppError('too-large', 'Audio sent along is at most 700 KiB; larger audio is uploaded.')
  checkAudio(bytes, kind)
  return { bytes, media_type }
}

export function transcriptHandlers(): HandlersOf<'listTranscripts' | 'getTranscript' | 'putTranscript'> {
  return {
    listTranscripts: (call) => async (db) =>
      pageReply(await listTranscripts(db, call.practice, call.query, rowsWithin('transcripts', call.scope))),
    getTranscript: (call) => async (db) => foundReply(await getReached(db, call, 'transcripts', call.params.id)),
    putTranscript: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      const { id: _named, ...draft } = body
      const current = (await isKept(db, 'transcripts', practice, params.id))
        ? await getReached(db, call, 'transcripts', params.id)
        : null
      requirePutVersion(ifMatch, current)
      if (draft.session_id !== null) await getReached(db, call, 'sessions', draft.session_id)
      // Consent, access, and retention follow the session, so a transcript cannot change its session.
      if (current && current.session_id !== draft.session_id)
        throw new AppError('conflict', 'A transcript stays with its session. Store these words as another one.')
      const transcript: Transcript = current ? changed({ ...current, ...draft }, now) : { ...draft, ...newRecord(params.id, now) }
      await putTranscript(db, practice, transcript, call.caller.person_id)
      return putReply(transcript)
    },
  }
}

export function uploadHandlers({ audio, clock }: Services): HandlersOf<'createUpload'> {
  return {
    createUpload: async (call) => {
      const { practice, body, now } = call
      const recording = (await audio?.stat(body.recording_id)) ?? null
      return async (db) => {
        if (recording === null) throw new AppError('not-found')
        const id = body.id ?? newId(clock)
        await requireReach(db, call, 'sessions', recording.session_id)
        const { bytes, session_id } = recording
        const { recording_id, media_type } = body
        await insertUpload(db, practice, { id, session_id, recording_id, media_type, bytes }, null, now)
        const data = { id, complete: true, bytes }
        return { status: 201, data, record: { kind: 'upload', id, version: 1 }, touched: [id, session_id] }
      }
    },
  }
}

type SentUploads = 'beginUpload' | 'sendUpload' | 'getUpload' | 'endUpload'

export function sentUploadHandlers(services: Services): HandlersOf<SentUploads> {
  const { blobs } = services
  const byTus = tusOf(services)
  return {
    beginUpload: (call, connection) => byTus(call, connection),
    sendUpload: (call, connection) => byTus(call, connection),
    endUpload: (call, connection) => byTus(call, connection),
    getUpload: async (call, connection) => {
      if (connection.request.method === 'HEAD') return byTus(call, connection)
      const upload = await openUpload(services, call, call.params.id)
      const { bytes: offset } = await blobs.state(upload.id)
      const data: SentUpload = {
        id: upload.id,
        session_id: upload.session_id,
        complete: upload.whole === 1,
        bytes: upload.bytes,
        offset,
        media_type: upload.media_type === '' ? null : upload.media_type,
        expires_at: upload.expires_at,
      }
      return Response.json(checkAnswer('getUpload', routes.getUpload, 200, data, services))
    },
  }
}

function tusOf(services: Services): ReturnType<typeof tus> {
  let loading: Promise<ReturnType<typeof tus>> | null = null
  return async (call, connection) => {
    loading ??= import('../uploads/tus.ts').then((module) => module.tus(services))
    return (await loading)(call, connection)
  }
}
