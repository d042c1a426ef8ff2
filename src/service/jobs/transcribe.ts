import { z } from 'zod'
import { newId } from '#base/ids.ts'
import type { Transcript, Segment, Speaker } from '#contract/model/transcript.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import { requireConsent } from '#service/access/consent.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import { fileKindOf } from '#engines/speech/audio-source.ts'
import { planSpeech } from '#engines/speech/plan.ts'
import type { FileKind, SpeechPort, HeardSegment, EnrolledVoice, Diarized } from '#engines/speech/port.ts'
import { AppError } from '#contract/errors.ts'
import { languageCode } from '#engines/speech/port.ts'
import { assignSpeakers, nameVoices } from '#engines/speech/speakers/assign.ts'
import type { Finish, JobServices, Work } from './run.ts'
import { inPractice } from '../store/in-practice.ts'
import { type OperationRow, askerOf } from '../store/operations.ts'
import { newRecord } from '../store/records.ts'
import { getSession } from '../store/sessions.ts'
import { insertTranscript } from '../store/transcripts.ts'
import type { Database, Write } from '../store/tables.ts'
import { dropSent, findSent, type SentUpload, dropContent, findUpload } from '../store/uploads.ts'
import { sweepUploadsSoon } from '../uploads/complete.ts'
import { type Hearing, hearAll, type Wishes, type Part, openKeptHearing, openSound } from './hear.ts'

const taskSchema = z.object({
  upload_id: z.string(),
  session_id: z.string().nullable(),
  language: z.string().nullable(),
  vocabulary: z.array(z.string()),
  with_speakers: z.boolean(),
  voices: z.int().nullable().default(null),
  reduce_noise: z.boolean().default(false),
  engine: z.tuple([z.string(), z.string().nullable()]),
})
export type TranscribeTask = z.infer<typeof taskSchema>

type Ports = Pick<JobServices, 'db' | 'clock' | 'log' | 'blobs' | 'audio' | 'speech' | 'installed' | 'consentPolicy'> & {
  readonly engineFor: (settings: SpeechSettings) => SpeechPort
  readonly host: EngineHost | null
  readonly enrolled: (practice: string) => Promise<readonly EnrolledVoice[]>
  readonly pieceSeconds: number | undefined
}

export function transcribeWorker(ports: Ports) {
  const { db } = ports
  return async (operation: OperationRow, work: Work): Promise<Finish> => {
    const task = taskSchema.parse(JSON.parse(operation.payload ?? ''))
    const settings = ports.speech()
    const plan = planSpeech(settings, ports.installed && (await ports.installed(db)))
    const { words, identity } = plan
    const isSame = identity[0] === task.engine[0] && identity[1] === task.engine[1]
    const language = task.language ?? settings?.language ?? null
    const server = words.kind === 'server' ? ports.engineFor(words.settings) : null
    const requireStill = (): Promise<void> =>
      inPractice(db, operation.practice_id, (read) => requireAgreed(ports, read, operation.practice_id, task))
    const finished = (hearing: Hearing): Finish => {
      return (write) => store(ports, write, operation, task, transcriptOf(hearing, { ...task, language }))
    }
    const file = await fileOf(ports, operation.practice_id, task.upload_id, server !== null)
    if (file !== null && server !== null) {
      await requireStill()
      const asked = { upload: task.upload_id, kind: file, server }
      return finished(await hearFile(ports, operation.practice_id, asked, task, work.signal))
    }
    let shown = operation.progress
    const hearing = await hearAll({
      plan,
      wishes: task,
      enrolled: plan.speakers === null ? [] : await ports.enrolled(operation.practice_id),
      host: ports.host,
      server,
      kept: await openKeptHearing(db, operation, isSame, plan.speakers),
      log: ports.log,
      signal: work.signal,
      pieceSeconds: ports.pieceSeconds,
      open: () => openSound(ports, operation.practice_id, task.upload_id),
      requireAgreed: requireStill,
      progress: (share) => work.progress((shown = Math.max(shown, share))),
    })
    return finished(hearing)
  }
}

async function fileOf({ db }: Ports, practice: string, id: string, hasServer: boolean): Promise<FileKind | null> {
  const upload = await inPractice(db, practice, (read) => findUpload(read, practice, id))
  return upload && fileKindOf(upload.media_type, upload.bytes, hasServer)
}

async function requireAgreed({ consentPolicy }: Ports, at: Database, practice: string, { session_id }: TranscribeTask) {
  const session = session_id === null ? null : await getSession(at, practice, session_id)
  await requireConsent(at, practice, consentPolicy, session, 'transcribe')
}

async function store(
  ports: Ports,
  write: Write,
  operation: OperationRow,
  task: TranscribeTask,
  draft: Omit<Transcript, keyof ReturnType<typeof newRecord>>,
) {
  await requireAgreed(ports, write, operation.practice_id, task)
  const { clock } = ports
  const id = newId(clock)
  const transcript = { ...draft, ...newRecord(id, new Date(clock.now()).toISOString()) }
  await insertTranscript(write, operation.practice_id, transcript, askerOf(operation))
  await dropSent(write, operation.practice_id, task.upload_id, new Date(clock.now()).toISOString())
  sweepUploadsSoon(ports, operation.practice_id)
  return { kind: 'transcript' as const, id, touched: [id, ...(task.session_id === null ? [] : [task.session_id])] }
}

export async function dropHeldAudio(write: Write, operation: OperationRow): Promise<void> {
  if (operation.payload !== null) await dropContent(write, (JSON.parse(operation.payload) as TranscribeTask).upload_id)
}

/** Lowest data rate assumed for formats that this service does not decode, to estimate their longest duration. */
const MIN_BYTES_PER_SECOND = 1000

async function hearFile(
  { db, blobs }: Pick<JobServices, 'db' | 'blobs'>,
  practice: string,
  { upload, kind, server }: { readonly upload: string; readonly kind: FileKind; readonly server: SpeechPort },
  { language, vocabulary }: Wishes,
  signal: AbortSignal,
): Promise<Hearing> {
  const sent = await inPractice(db, practice, (read) => findSent(read, practice, upload))
  if (sent === null || 'erased_at' in sent) throw new AppError('not-found', 'The audio is no longer there.')
  const wav = await whole(blobs, sent)
  const duration_ms = Math.ceil((sent.bytes / MIN_BYTES_PER_SECOND) * 1000)
  const heard = await server.transcribe({ wav, file: kind, duration_ms, language, vocabulary }, signal)
  const end = heard.segments.reduce((latest, { end_ms }) => Math.max(latest, end_ms), 0)
  return { parts: [{ start_ms: 0, duration_ms: end, heard }], spoken: null, engine: server.engine }
}

async function whole(blobs: JobServices['blobs'], sent: SentUpload): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(sent.bytes)
  let at = 0
  for await (const part of blobs.read(sent)) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

type Asked = Pick<TranscribeTask, 'session_id' | 'with_speakers' | 'voices' | 'language'>

type Said = Omit<HeardSegment, 'speaker'> & { readonly speaker_id: string | null; readonly voice?: string }
interface Turns {
  readonly said: readonly Said[]
  readonly speakers: readonly Speaker[]
}

const MAX_SPEAKERS = 40

function transcriptOf(hearing: Hearing, asked: Asked): Omit<Transcript, keyof ReturnType<typeof newRecord>> {
  const { parts, engine, spoken } = hearing
  const { said, speakers } = spoken === null ? byServer(parts, asked) : byVoice(parts, spoken, asked.voices)
  const last = parts.at(-1)
  return {
    session_id: asked.session_id,
    language: asked.language ?? languageCode(parts.find(({ heard }) => heard.language !== null)?.heard.language ?? null),
    duration_ms: last ? last.start_ms + last.duration_ms : 0,
    speakers: [...speakers],
    segments: said.map(segmentOf),
    engine,
  }
}

function segmentOf({ text, start_ms, end_ms, confidence, words, speaker_id, voice }: Said, index: number): Segment {
  const optional = { ...(words.length > 0 ? { words: [...words] } : {}), ...(voice === undefined ? {} : { voice }) }
  return { id: `s${index + 1}`, speaker_id, start_ms, end_ms, text, confidence, ...optional, edited: false }
}

function byVoice(parts: readonly Part[], { turns, voices }: Diarized, people: number | null): Turns {
  const assigned = assignSpeakers(parts.flatMap(onRecordingClock), turns)
  const speakers = nameVoices(assigned, voices, people)
  const said = assigned.map(({ voice, part, ...segment }) => {
    const speaker = voice === null ? undefined : speakers.get(voice)
    return speaker === undefined
      ? { ...segment, speaker_id: null }
      : { ...segment, speaker_id: speaker.id, voice: `${speaker.id}.${part + 1}` }
  })
  return { said, speakers: [...speakers.values()] }
}

/** A server can't match voices across pieces, so each piece gets separate speakers. */
function byServer(parts: readonly Part[], { with_speakers: isWanted, voices: people }: Asked): Turns {
  const speakers = new Map<string, Speaker>()
  const said = parts.flatMap((part, index) =>
    onRecordingClock(part).map(({ speaker, ...segment }) => {
      const speaker_id = isWanted && speaker !== null ? speakerId(speakers, speaker, index, parts.length) : null
      return { ...segment, speaker_id }
    }),
  )
  const ids = [...speakers.keys()]
  const voiceOf = (id: string | null): number | null => (id === null ? null : ids.indexOf(id))
  const voiced = said.map((segment) => ({ ...segment, part: 0, voice: voiceOf(segment.speaker_id) }))
  const named = parts.length === 1 ? nameVoices(voiced, [], people) : new Map<number, Speaker>()
  return { said, speakers: [...speakers.values()].map((speaker, voice) => withRole(speaker, named.get(voice))) }
}

const withRole = (speaker: Speaker, named: Speaker | undefined): Speaker =>
  named === undefined || named.role === 'unknown' ? speaker : { ...speaker, label: named.label, role: named.role }

function speakerId(speakers: Map<string, Speaker>, name: string, part: number, parts: number): string | null {
  const id = parts > 1 ? `${part + 1}-${name}` : name
  const known = speakers.get(id)
  if (known) return known.id
  if (speakers.size >= MAX_SPEAKERS) return null
  const label = parts > 1 ? `Speaker ${speakers.size + 1} (part ${part + 1})` : `Speaker ${speakers.size + 1}`
  speakers.set(id, { id, label, role: 'unknown' })
  return id
}

function onRecordingClock({ start_ms: from, heard }: Part): HeardSegment[] {
  return heard.segments.map((segment) => ({
    ...segment,
    start_ms: from + segment.start_ms,
    end_ms: from + segment.end_ms,
    words: segment.words.map((word) => ({ ...word, start_ms: from + word.start_ms, end_ms: from + word.end_ms })),
  }))
}
