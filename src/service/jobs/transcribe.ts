import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { Segment, Speaker, Transcript } from '#contract/model/transcript.ts'
import { requireConsent } from '../consent.ts'
import type { Services } from '../handler.ts'
import type { SpeechSettings } from '../ports.ts'
import { decode, kindOf } from '../speech/audio-source.ts'
import { cutIntoPieces } from '../speech/pieces.ts'
import type { Piece } from '../speech/pieces.ts'
import type { Heard, SpeechPort } from '../speech/port.ts'
import { noSpeech } from '../speech/port.ts'
import { languageCode } from '../speech/language-code.ts'
import type { OperationRow } from '../store/operations.ts'
import { findPieces, keepPiece } from '../store/pieces.ts'
import { newRecord } from '../store/records.ts'
import { getSession } from '../store/sessions.ts'
import { insertTranscript } from '../store/transcripts.ts'
import type { Database, Write } from '../store/tables.ts'
import { dropContent, findUpload, uploadContent } from '../store/uploads.ts'
import type { Finish, Work } from './run.ts'

/** What the operation keeps until it is over. */
export interface TranscribeTask {
  readonly upload_id: string
  readonly session_id: string | null
  readonly language: string | null
  readonly vocabulary: readonly string[]
  readonly with_speakers: boolean
  /** What was asked of one is not gone on with by another. */
  readonly engine: readonly [address: string, model: string | null]
}

/** A piece as it is kept: its place and what was heard in it. */
interface Part {
  readonly start_ms: number
  readonly duration_ms: number
  readonly heard: Heard
}

type Ports = Pick<Services, 'db' | 'clock' | 'audio' | 'speech' | 'consentPolicy'> & {
  readonly engineFor: (settings: SpeechSettings) => SpeechPort
  readonly pieceSeconds?: number
}

/** Sound to transcript, piece after piece; each piece that is done is kept, so that a restart goes on after it. */
export function transcribeWorker(ports: Ports) {
  const { db, clock } = ports
  return async (operation: OperationRow, work: Work): Promise<Finish> => {
    const task = JSON.parse(operation.payload ?? '') as TranscribeTask
    const settings = ports.speech()
    if (settings === null) throw new AppError('engine-not-ready', noSpeech)
    const engine = ports.engineFor(settings)
    const source = await open(operation.practice_id, task.upload_id)
    const kept = await findPieces(db, operation.id)
    const parts: Part[] = []
    for await (const piece of cutIntoPieces(source.sound, ports.pieceSeconds)) {
      work.signal.throwIfAborted()
      await requireAgreed(db, operation.practice_id, task)
      const known = kept.get(piece.index)
      const part = known === undefined ? await hear(engine, piece, task, work.signal) : (JSON.parse(known) as Part)
      if (known === undefined) await keepPiece(db, operation.id, piece.index, JSON.stringify(part))
      parts.push(part)
      await work.progress(Math.min(0.99, source.share()))
    }
    const language = task.language ?? settings.language
    return (write) => store(write, operation, task, transcriptOf(parts, task, engine, language))
  }

  /** Somebody may take consent back at any time: no more is heard then, and what was is not kept. */
  async function requireAgreed(at: Database, practice: string, { session_id }: TranscribeTask): Promise<void> {
    const session = session_id === null ? null : await getSession(at, practice, session_id)
    await requireConsent(at, practice, ports.consentPolicy, session, 'transcribe')
  }

  async function open(practice: string, id: string): Promise<{ sound: AsyncIterable<Float32Array>; share: () => number }> {
    const upload = await findUpload(db, practice, id)
    if (upload === null) throw new AppError('not-found', 'The audio is no longer there.')
    const held = upload.recording_id === null ? await uploadContent(db, id) : null
    let read = 0
    async function* counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        read += chunk.length
        yield chunk
      }
    }
    const bytes = upload.recording_id === null ? inPieces(held) : ports.audio?.read(upload.recording_id)
    if (bytes === undefined) throw new AppError('not-found', 'The audio is no longer there.')
    const kind = kindOf(upload.media_type)
    return { sound: decode(kind, counted(bytes), held), share: () => (kind === 'wav' ? 0.5 : read / Math.max(1, upload.bytes)) }
  }

  async function store(
    write: Write,
    operation: OperationRow,
    task: TranscribeTask,
    draft: Omit<Transcript, keyof ReturnType<typeof newRecord>>,
  ) {
    await requireAgreed(write, operation.practice_id, task)
    const id = newId(clock)
    await insertTranscript(write, operation.practice_id, { ...draft, ...newRecord(id, new Date(clock.now()).toISOString()) })
    await dropContent(write, task.upload_id)
    return { kind: 'transcript' as const, id, touched: [id, ...(task.session_id === null ? [] : [task.session_id])] }
  }
}

/** Audio that was sent along is of no use once its transcript failed; the caller has it still. */
export async function dropHeldAudio(write: Write, operation: OperationRow): Promise<void> {
  if (operation.payload !== null) await dropContent(write, (JSON.parse(operation.payload) as TranscribeTask).upload_id)
}

async function hear(engine: SpeechPort, piece: Piece, task: TranscribeTask, signal: AbortSignal): Promise<Part> {
  const { start_ms, duration_ms } = piece
  if (piece.isSilent) return { start_ms, duration_ms, heard: { segments: [], language: null } }
  const request = { wav: piece.wav, duration_ms, language: task.language, vocabulary: task.vocabulary }
  return { start_ms, duration_ms, heard: await engine.transcribe(request, signal) }
}

function transcriptOf(parts: readonly Part[], task: TranscribeTask, engine: SpeechPort, language: string | null) {
  const speakers = new Map<string, Speaker>()
  const segments: Segment[] = []
  for (const [part, { start_ms, heard }] of parts.entries()) {
    for (const { words, speaker, ...said } of heard.segments) {
      segments.push({
        id: `s${segments.length + 1}`,
        speaker_id: task.with_speakers && speaker !== null ? speakerId(speakers, speaker, part, parts.length) : null,
        text: said.text,
        start_ms: start_ms + said.start_ms,
        end_ms: start_ms + said.end_ms,
        confidence: said.confidence,
        ...(words.length > 0
          ? { words: words.map((word) => ({ ...word, start_ms: start_ms + word.start_ms, end_ms: start_ms + word.end_ms })) }
          : {}),
        edited: false,
      })
    }
  }
  const last = parts.at(-1)
  return {
    session_id: task.session_id,
    language: language ?? languageCode(parts.find(({ heard }) => heard.language !== null)?.heard.language ?? null),
    duration_ms: last ? last.start_ms + last.duration_ms : 0,
    speakers: [...speakers.values()].slice(0, 40),
    segments,
    engine: engine.engine,
  }
}

/** An engine that hears pieces one by one does not know that a voice is the same in the next, so neither do we. */
function speakerId(speakers: Map<string, Speaker>, name: string, part: number, parts: number): string | null {
  const id = parts > 1 ? `${part + 1}-${name}` : name
  const known = speakers.get(id)
  if (known) return known.id
  if (speakers.size >= 40) return null
  const label = parts > 1 ? `Speaker ${speakers.size + 1} (part ${part + 1})` : `Speaker ${speakers.size + 1}`
  speakers.set(id, { id, label, role: 'unknown' })
  return id
}

async function* inPieces(bytes: Uint8Array | null): AsyncGenerator<Uint8Array> {
  for (let at = 0; bytes !== null && at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
