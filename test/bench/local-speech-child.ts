/** One recording through the service and its engine's process, or through the bare engine: how long, and how much memory at most (Linux). */
import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { performance } from 'node:perf_hooks'
import { newId } from '#base/ids.ts'
import { createDiarizer } from '#engines/speech/speakers/diarizer.ts'
import { decodeOggOpus } from '#engines/speech/audio-source.ts'
import { forkedEngines } from '#engines/engine-host.ts'
import { loadRecogniser } from '#engines/speech/local/recogniser.ts'
import { loadSpeechDetector } from '#engines/speech/local/speech-detector.ts'
import { aClient, aSession, openKit } from '#test/service/service-kit.ts'
import { installed, recogniser, tokens, vad, withSpeakers } from '../engines/speech/local/stand-ins.ts'
import { longRecording } from './long-recording.ts'

const [what = '', given = ''] = process.argv.slice(2)
const minutes = Number(given)
const model = { kind: 'tdnn_ctc', name: 'stand-in', files: { model: recogniser, tokens } } as const

async function* pages(): AsyncGenerator<Buffer> {
  yield* longRecording(minutes)
}

/** Peak resident bytes of a process, as the system counted them. */
function peakOf(processId: number | 'self'): number {
  try {
    // One that has ended and was not yet waited for has no such line any more.
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0 // it is gone already
  }
}

/** Processor time of a process so far; the system counts hundredths of a second. */
function processorSecondsOf(processId: number): number {
  try {
    const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0
  }
}

const children = (): number[] =>
  readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

async function throughTheService() {
  let bytes = 0
  for (const page of longRecording(minutes)) bytes += page.length
  const sessions = new Map<string, string>()
  const audio = {
    stat: async (id: string) => ({ bytes, sha256: null, session_id: sessions.get(id)! }),
    read: () => pages(),
  }
  const models = installed(withSpeakers)
  const kit = await openKit({ engines: forkedEngines(), installed: async () => models, audio, waitMs: 24 * 3_600_000 })
  const recording = newId()
  sessions.set(recording, (await aSession(kit.client, (await aClient(kit.client)).id)).id)
  const { data: upload } = await kit.client.call('createUpload', { body: { recording_id: recording, media_type: 'audio/ogg' } })
  let [enginePeak, processor] = [0, 0]
  const watch = setInterval(() => {
    enginePeak = Math.max(enginePeak, ...children().map(peakOf))
    processor = Math.max(processor, ...children().map(processorSecondsOf))
  }, 100)
  const started = performance.now()
  await kit.client.call('transcribeWithSpeakers', { body: { audio: { upload_id: upload.id }, speakers: { min: 2, max: 2 } } })
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  await kit.close()
  return { seconds, processor_seconds: processor, service_bytes: peakOf('self'), engine_bytes: enginePeak }
}

/** The same libraries on sound that is decoded already, in one process, at the same priority. */
async function bare() {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const parts: Float32Array[] = []
  for await (const part of decodeOggOpus(pages())) parts.push(part)
  const started = performance.now()
  const before = process.cpuUsage()
  const ear = loadRecogniser(model, { language: null, vocabulary: [] }, 1)
  const detector = loadSpeechDetector(vad, { pauseSeconds: 0.5, longestSeconds: 24 })
  const diarizer = createDiarizer({ ...withSpeakers, voices: 2, enrolled: [] })
  for (const part of parts) {
    for (const { samples } of detector.accept(part)) await ear.recognise(samples)
    diarizer.accept(part)
  }
  for (const { samples } of detector.finish()) await ear.recognise(samples)
  diarizer.finish()
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - started) / 1000
  return { seconds, processor_seconds: (user + system) / 1e6, service_bytes: 0, engine_bytes: 0 }
}

process.stdout.write(JSON.stringify(await (what === 'bare' ? bare() : throughTheService())))
