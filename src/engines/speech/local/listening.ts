import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { EngineHost } from '#engines/engine-host.ts'
import { speakerModels } from '../plan.ts'
import { type Diarized, type InstalledModels, SAMPLE_RATE, type SpokenStretch } from '../port.ts'
import { type FromEngine, type ModelUse, type OpenMessage, type ToEngine, fromEngineSchema } from './messages.ts'
import { AppError } from '#contract/errors.ts'

const USUAL_STALL_MS = 300_000

export class EngineGone extends Error {
  override readonly name = 'EngineGone'
  readonly loading: ModelUse | null
  constructor(loading: ModelUse | null) {
    super(loading === null ? 'the engine is gone' : `the engine is gone while loading: ${loading}`)
    this.loading = loading
  }
}

interface PieceOfSound {
  readonly index: number
  readonly samples: Float32Array
  readonly wantWords: boolean
  readonly keep: boolean
}

type HeardPiece = Pick<Extract<FromEngine, { kind: 'heard' }>, 'segments' | 'language' | 'kept'>

export interface Listening {
  readonly version: string
  hear(piece: PieceOfSound): Promise<HeardPiece>
  speakers(spoken: readonly SpokenStretch[] | null): Promise<Diarized>
  close(): void
}

type Models = Omit<OpenMessage, 'kind' | 'threads'>

export async function startListening(
  host: EngineHost,
  open: Models,
  signal: AbortSignal,
  stallMs: number = USUAL_STALL_MS,
): Promise<Listening> {
  signal.throwIfAborted()
  const engine = host.start('speech-engine')
  const inbox = createInbox<FromEngine>(stallMs)
  let loading: ModelUse | null = null
  const stop = (error: unknown): void => {
    inbox.fail(error)
    engine.kill()
  }
  const abort = (): void => stop(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  engine.onExit(() => inbox.fail(new EngineGone(loading)))
  engine.onMessage((raw) => {
    const read = fromEngineSchema.safeParse(raw)
    // An exception in this listener would also end the process that started the engine.
    if (!read.success) return stop(new EngineGone(null))
    const message = read.data
    if (message.kind === 'loading') loading = message.model
    else if (message.kind === 'failed') stop(new EngineGone(message.model ?? loading))
    else inbox.put(message)
  })
  const send = (message: ToEngine): void => engine.send(message)
  const next = (): Promise<FromEngine> =>
    inbox.next(() => {
      engine.kill()
      return new EngineGone(loading)
    })
  const close = (): void => {
    signal.removeEventListener('abort', abort)
    stop(new EngineGone(null))
  }

  try {
    send({ kind: 'open', ...open, threads: Math.max(1, Math.min(4, availableParallelism() - 1)) })
    const ready = await until(next, 'ready')
    loading = null
    const heard = inTurn(() => until(next, 'heard'))
    return {
      version: ready.version,
      hear(piece) {
        sendPiece(piece, send)
        return heard()
      },
      async speakers(spoken) {
        send({ kind: 'finish', spoken: spoken && [...spoken] })
        return until(next, 'speakers')
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

function sendPiece({ index, samples, wantWords, keep }: PieceOfSound, send: (message: ToEngine) => void): void {
  send({ kind: 'piece', index, samples: samples.length, want_words: wantWords, keep })
  // A copy, because sending a subarray can send its whole buffer.
  for (let at = 0; at < samples.length; at += SAMPLE_RATE) send({ kind: 'sound', samples: samples.slice(at, at + SAMPLE_RATE) })
}

function inTurn<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve()
  const asked = async (before: Promise<unknown>): Promise<Answer> => {
    await before
    return ask()
  }
  return () => {
    const answer = asked(last)
    last = answer.catch(() => {})
    return answer
  }
}

async function until<Kind extends FromEngine['kind']>(
  next: () => Promise<FromEngine>,
  kind: Kind,
): Promise<Extract<FromEngine, { kind: Kind }>> {
  for (;;) {
    const message = await next()
    if (message.kind === kind) return message as Extract<FromEngine, { kind: Kind }>
  }
}

function createInbox<Message>(stallMs: number) {
  const waiting: Message[] = []
  let reader: PromiseWithResolvers<Message> | null = null
  let failure: { readonly error: unknown } | null = null

  function fail(error: unknown): void {
    failure ??= { error }
    reader?.reject(failure.error)
    reader = null
  }

  return {
    fail,
    put(message: Message): void {
      if (reader === null) waiting.push(message)
      else reader.resolve(message)
      reader = null
    },
    async next(onStall: () => unknown): Promise<Message> {
      const first = waiting.shift()
      if (first !== undefined) return first
      if (failure !== null) throw failure.error
      reader = Promise.withResolvers<Message>()
      const { promise } = reader
      const stall = setTimeout(() => fail(onStall()), stallMs)
      return promise.finally(() => clearTimeout(stall))
    },
  }
}

const names: Readonly<Record<ModelUse, string>> = {
  words: 'The speech-to-text model',
  'speech-detection': 'The speech detection model',
  'noise-reduction': 'The noise reduction model',
  speakers: 'A speaker identification model',
}

export const engineError = ({ loading }: EngineGone): AppError =>
  loading === null
    ? new AppError('engine-failed', 'Transcription stopped several times. Choose a smaller model, which needs less memory.')
    : new AppError(
        'model-damaged',
        `${names[loading]} couldn’t be loaded. Its file may be damaged or unsupported, or this computer may not have enough memory. Reinstall the model, or choose a smaller one.`,
      )

const FRAME = SAMPLE_RATE / 100
/** Target peak: -3 dB of full scale. */
const WANTED = 0.708
/** +20 dB. More would turn the noise of an empty room into speech. */
const MAX_GAIN = 10
/** The loudest of this many recent pieces sets the gain, so that a quiet piece after a loud one is not amplified too much. */
const PIECES = 5
/** Share of the 10 ms frames that the peak ignores, the loudest first, because a slammed door is not a voice. */
const BANGS = 0.001

/** Returns a function that gives the gain for each piece. One gain for the whole recording would need a second pass. */
export function createLevel(): (samples: Int16Array) => number {
  const peaks: number[] = []
  return (samples) => {
    peaks.push(peakOf(samples))
    if (peaks.length > PIECES) peaks.shift()
    return Math.min(MAX_GAIN, WANTED / Math.max(1e-6, ...peaks))
  }
}

export function levelled(samples: Int16Array, gain: number): Float32Array {
  const louder = gain / 32_768
  const sound = new Float32Array(samples.length)
  for (let index = 0; index < sound.length; index += 1) sound[index] = Math.max(-1, Math.min(1, samples[index]! * louder))
  return sound
}

function peakOf(samples: Int16Array): number {
  const frames = new Float32Array(Math.ceil(samples.length / FRAME))
  for (let index = 0; index < samples.length; index += 1) {
    const at = Math.floor(index / FRAME)
    frames[at] = Math.max(frames[at]!, Math.abs(samples[index]!))
  }
  frames.sort()
  return frames[Math.max(0, frames.length - 1 - Math.floor(frames.length * BANGS))]! / 32_768
}

export async function withListening<Result>(
  host: EngineHost,
  open: Models,
  signal: AbortSignal,
  use: (listening: Listening) => Promise<Result>,
): Promise<Result> {
  try {
    const listening = await startListening(host, open, signal)
    try {
      return await use(listening)
    } finally {
      listening.close()
    }
  } catch (error) {
    throw error instanceof EngineGone ? engineError(error) : error
  }
}

export async function tryModels(
  host: EngineHost,
  models: InstalledModels,
  sound: Float32Array,
  signal: AbortSignal,
): Promise<{ seconds_taken: number; words: number | null }> {
  const model = models.speech()
  const words = { model, vad: models.vad(), denoiser: models.denoiser(), language: null, vocabulary: [] }
  const found = speakerModels(models)
  const speakers = found && { ...found, voices: null, enrolled: [], kept: null }
  return withListening(host, { words, speakers }, signal, async (listening) => {
    const started = performance.now()
    const whole = Int16Array.from(sound, (sample) => sample * 32_767)
    const samples = levelled(whole, createLevel()(whole))
    const { segments } = await listening.hear({ index: 0, samples, wantWords: true, keep: false })
    if (speakers !== null) await listening.speakers(null)
    const said = segments.flatMap(({ text }) => text.split(' ')).length
    return { seconds_taken: (performance.now() - started) / 1000, words: model === null ? null : said }
  })
}
