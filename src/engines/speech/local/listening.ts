import { availableParallelism } from 'node:os'
import type { EngineHost } from '#engines/engine-host.ts'
import { SAMPLE_RATE } from '../pcm.ts'
import type { Diarized, SpokenStretch } from '../speakers/diarizer-port.ts'
import {
  type FromEngine,
  type ModelUse,
  type OpenMessage,
  type SpokenSegment,
  type ToEngine,
  fromEngineSchema,
} from './messages.ts'
import { AppError } from '#contract/errors.ts'

/** The slowest model on the slowest laptop says something far sooner, loading included. */
const USUAL_STALL_MS = 300_000

/** The engine's process ended, said no, or said what nobody understands. `loading`: while it read that model. */
export class EngineGone extends Error {
  override readonly name = 'EngineGone'
  readonly loading: ModelUse | null
  constructor(loading: ModelUse | null) {
    super(loading === null ? 'the engine is gone' : `the engine is gone while loading: ${loading}`)
    this.loading = loading
  }
}

/** Sound of one piece, levelled. */
export interface PieceOfSound {
  readonly index: number
  readonly samples: Float32Array
  readonly wantWords: boolean
  /** What is known of the speakers behind this piece is wanted too. */
  readonly keep: boolean
}

export interface HeardPiece {
  readonly segments: readonly SpokenSegment[]
  readonly language: string | null
  /** What is known of the speakers by now, to go on from in another process; null where it was not asked for. */
  readonly kept: string | null
}

/** One engine process with its models loaded. */
export interface Listening {
  readonly version: string
  /** The sound is on its way at once; several pieces are answered in the order in which they were sent. */
  hear(piece: PieceOfSound): Promise<HeardPiece>
  /** Who spoke when, of everything heard; null where nobody looked for speech by itself. */
  speakers(spoken: readonly SpokenStretch[] | null): Promise<Diarized>
  /** Ends the process, whatever it does. */
  close(): void
}

/**
 * Starts an engine process and loads what `open` names.
 *
 * @throws EngineGone, here and from every call; whatever `signal` was aborted with
 */
export async function startListening(
  host: EngineHost,
  open: Omit<OpenMessage, 'kind' | 'threads'>,
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
    // Thrown in here, it would end this process with the engine's.
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
    send({ kind: 'open', ...open, threads: threadsHere() })
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
  // Copied out of the piece: what crosses to another process is a whole buffer.
  for (let at = 0; at < samples.length; at += SAMPLE_RATE) send({ kind: 'sound', samples: samples.slice(at, at + SAMPLE_RATE) })
}

/** Whoever asks first, is answered first. */
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

/** What is answered before it, is of no more interest. */
async function until<Kind extends FromEngine['kind']>(
  next: () => Promise<FromEngine>,
  kind: Kind,
): Promise<Extract<FromEngine, { kind: Kind }>> {
  for (;;) {
    const message = await next()
    if (message.kind === kind) return message as Extract<FromEngine, { kind: Kind }>
  }
}

/** One core stays free for the recording and the window. */
function threadsHere(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1))
}

/** Messages in the order they came, for one reader. */
interface Inbox<Message> {
  put(message: Message): void
  /** Nothing more comes: whoever reads on, gets `error`. The first one counts. */
  fail(error: unknown): void
  /** The next one; where none comes in time, it fails with what `onStall` gives. */
  next(onStall: () => unknown): Promise<Message>
}

function createInbox<Message>(stallMs: number): Inbox<Message> {
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
    put(message) {
      if (reader === null) waiting.push(message)
      else reader.resolve(message)
      reader = null
    },
    async next(onStall) {
      // What was said before the end still counts.
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
  words: 'The speech model',
  'speech-detection': 'The model that finds where somebody speaks',
  'noise-reduction': 'The model that reduces noise',
  speakers: 'One of the models that tell speakers apart',
}

/** What to tell of an engine that ended by itself, again and again. */
export function engineError({ loading }: EngineGone): AppError {
  return loading === null
    ? new AppError(
        'engine-failed',
        'The speech engine stopped in the middle of its work several times. A smaller speech model needs less memory.',
      )
    : new AppError(
        'model-damaged',
        `${names[loading]} could not be loaded: its file is damaged, is of another kind, or needs more memory than there is. Remove it and install it again, or choose a smaller one.`,
      )
}

const FRAME = SAMPLE_RATE / 100
/** -3 dB of full scale: where the models were trained to hear. */
const WANTED = 0.708
/** +20 dB. More would make speech of the noise of an empty room. */
const MAX_GAIN = 10
/** The loudest of so many pieces counts: somebody who speaks softly for a minute is not made as loud as a shout. */
const PIECES = 5
/** This share of a piece's frames may be louder: a door is no voice. */
const BANGS = 0.001

/**
 * How much louder each piece is made, from its own sound and that of the pieces before it. The whole recording would
 * have to be read twice to know its peak; the last few minutes say as much, and change little from piece to piece, so
 * that a voice keeps its colour. The same recording always gives the same gains.
 */
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
