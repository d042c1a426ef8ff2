import type { AudioFormat } from '#contract/model/recording.ts'
import type { CapturedRecord, CaptureEnd, FromCapture, ToCapture } from './record-builder.ts'
import { openMicrophone } from './microphones.ts'

/** Bits per second: 67 bytes per 20 ms packet. */
const BITRATE = 26_800
export const plainFormat: AudioFormat = { codec: 'opus', channels: 1, bitrate: BITRATE, input_sample_rate: 48_000, pre_skip: 312 }
/** Ten seconds of frames, so that a worker that stalls for less loses no sound. */
const BUFFERED_FRAMES = 1000
/** After 30 ticks of 500 ms without a record, the worker counts as crashed. */
const TURN_MS = 500
const DEAD_TURNS = 30
const STOP_WITHIN_MS = 12_000

export interface TakeEvents {
  onFormat(format: AudioFormat): void
  onRecord(record: CapturedRecord): void
  onGap(): void
  onLost(why: CaptureEnd): void
}

type Take = Awaited<ReturnType<typeof openTake>>

export async function openTake(deviceId: string | null, events: TakeEvents) {
  const track = await openMicrophone(deviceId)
  const worker = new Worker(new URL('./capture-worker.ts', import.meta.url), { type: 'module' })
  let isAsked = false
  // Count ticks instead of time, because the worker's messages wait while this thread stalls.
  let silentTurns = 0
  const watch = setInterval(() => {
    silentTurns += 1
    if (silentTurns >= DEAD_TURNS) end('stalled')
  }, TURN_MS)
  let over = (): void => {}
  const isOver = new Promise<void>((resolve) => (over = resolve))

  function end(why: CaptureEnd): void {
    clearInterval(watch)
    track.stop()
    worker.terminate()
    worker.onmessage = null
    over()
    if (!isAsked) events.onLost(why)
    isAsked = true
  }

  worker.onmessage = ({ data }: MessageEvent<FromCapture>) => {
    if (data.kind === 'format')
      events.onFormat({ ...plainFormat, input_sample_rate: data.input_sample_rate, pre_skip: data.pre_skip })
    if (data.kind === 'record') {
      silentTurns = 0
      events.onRecord(data.record)
    }
    if (data.kind === 'gap') events.onGap()
    if (data.kind === 'ended') end(data.why)
  }
  worker.onerror = () => end('failed')
  const { readable } = new MediaStreamTrackProcessor({ track, maxBufferSize: BUFFERED_FRAMES })
  worker.postMessage({ kind: 'begin', readable, bitrate: BITRATE } satisfies ToCapture, [readable])

  return {
    device_label: track.label,
    async stop(): Promise<void> {
      if (isAsked) return isOver
      isAsked = true
      worker.postMessage({ kind: 'end' } satisfies ToCapture)
      const tooLong = setTimeout(() => end('failed'), STOP_WITHIN_MS)
      await isOver
      clearTimeout(tooLong)
    },
  }
}

export function createLiveTake(events: Omit<TakeEvents, 'onFormat'>) {
  let take: Take | null = null
  /** Counts calls of `close`, so that a microphone that opens after a later call is closed again. */
  let turn = 0

  async function close(): Promise<void> {
    turn += 1
    const closing = take
    take = null
    await closing?.stop()
  }

  return {
    get isOpen(): boolean {
      return take !== null
    },
    close,
    /** Resolves when sound arrives. `onFormat` runs before the first record. */
    async open(deviceId: string | null, onFormat = () => {}) {
      await close()
      const own = turn
      const { promise, resolve, reject } = Promise.withResolvers<AudioFormat>()
      promise.catch(() => {}) // no unhandled rejection if `promise` rejects before it is awaited below
      let isFlowing = false
      const opened = await openTake(deviceId, {
        onFormat(format) {
          if (isFlowing) return
          isFlowing = true
          onFormat()
          resolve(format)
        },
        onRecord: events.onRecord,
        onGap: events.onGap,
        onLost(why) {
          if (own === turn) take = null
          if (isFlowing) events.onLost(why)
          else reject(new DOMException('no sound', 'NotReadableError'))
        },
      })
      if (own !== turn) {
        await opened.stop()
        throw new DOMException('given up', 'AbortError')
      }
      take = opened
      return { format: await promise, device_label: opened.device_label }
    },
  }
}
