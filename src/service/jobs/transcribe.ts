import { z } from 'zod'
import { newId } from '#base/ids.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import { requireConsent } from '#service/access/consent.ts'
import type { JobServices } from './job-services.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import { fileKindOf } from '#engines/speech/audio-source.ts'
import { planSpeech } from '#engines/speech/plan.ts'
import type { FileKind, SpeechPort } from '#engines/speech/port.ts'
import type { EnrolledVoice } from '#engines/speech/speakers/diarizer-port.ts'
import { inPractice } from '../store/in-practice.ts'
import type { OperationRow } from '../store/operations.ts'
import { askerOf } from '../store/operations.ts'
import { newRecord } from '../store/records.ts'
import { getSession } from '../store/sessions.ts'
import { insertTranscript } from '../store/transcripts.ts'
import type { Database, Write } from '../store/tables.ts'
import { dropSent } from '../store/sent-uploads.ts'
import { dropContent, findUpload } from '../store/uploads.ts'
import { sweepUploadsSoon } from '../uploads/sweep.ts'
import type { Hearing } from './hear.ts'
import { hearAll } from './hear.ts'
import { hearFile } from './hear-file.ts'
import { openKeptHearing } from './kept-hearing.ts'
import { openSound } from './open-sound.ts'
import type { Finish, Work } from './run.ts'
import { transcriptOf } from './transcript-of.ts'

/** What the operation keeps until it is over. One that an earlier version began lacks what came later. */
const taskSchema = z.object({
  upload_id: z.string(),
  session_id: z.string().nullable(),
  language: z.string().nullable(),
  vocabulary: z.array(z.string()),
  with_speakers: z.boolean(),
  /** At most so many voices; null where nobody said. */
  voices: z.int().nullable().default(null),
  reduce_noise: z.boolean().default(false),
  /** What was asked of one is not gone on with by another. */
  engine: z.tuple([z.string(), z.string().nullable()]),
})
export type TranscribeTask = z.infer<typeof taskSchema>

type Ports = Pick<JobServices, 'db' | 'clock' | 'log' | 'blobs' | 'audio' | 'speech' | 'installed' | 'consentPolicy'> & {
  readonly engineFor: (settings: SpeechSettings) => SpeechPort
  readonly host: EngineHost | null
  readonly enrolled: (practice: string) => Promise<readonly EnrolledVoice[]>
  readonly pieceSeconds: number | undefined
}

/** Sound to transcript, piece after piece; each piece that is done is kept, so that a restart goes on after it. */
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
      // What is heard once more after a restart moves nothing back.
      progress: (share) => work.progress((shown = Math.max(shown, share))),
    })
    return finished(hearing)
  }
}

async function fileOf({ db }: Ports, practice: string, id: string, hasServer: boolean): Promise<FileKind | null> {
  const upload = await inPractice(db, practice, (read) => findUpload(read, practice, id))
  return upload && fileKindOf(upload.media_type, upload.bytes, hasServer)
}

/** Somebody may take consent back at any time: no more is heard then, and what was is not kept. */
async function requireAgreed(
  { consentPolicy }: Ports,
  at: Database,
  practice: string,
  { session_id }: TranscribeTask,
): Promise<void> {
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

/** Audio that was sent along is of no use once its transcript failed; the caller has it still. */
export async function dropHeldAudio(write: Write, operation: OperationRow): Promise<void> {
  if (operation.payload !== null) await dropContent(write, (JSON.parse(operation.payload) as TranscribeTask).upload_id)
}
