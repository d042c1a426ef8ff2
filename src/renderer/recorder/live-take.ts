import type { AudioFormat } from '#contract/model/recording.ts'
import type { CapturedRecord, CaptureEnd } from './capture-messages.ts'
import { openTake, type Take } from './take.ts'

interface LiveTakeEvents {
  onRecord(record: CapturedRecord): void
  /** Sound is missing before the next record. */
  onGap(): void
  /** It had begun to flow and ended by itself. */
  onLost(why: CaptureEnd): void
}

/** The one open microphone, if any. */
export interface LiveTake {
  /**
   * Resolves when sound comes; `onFormat` runs before the first record is given out.
   *
   * @throws DOMException of getUserMedia, or NotReadableError where no sound ever comes
   */
  open(deviceId: string | null, onFormat?: () => void): Promise<{ format: AudioFormat; device_label: string }>
  /** Resolves when the last record was given out. */
  close(): Promise<void>
  readonly isOpen: boolean
}

export function createLiveTake(events: LiveTakeEvents): LiveTake {
  let take: Take | null = null
  /** Counts opens and closes: a microphone that opens too late is closed again. */
  let turn = 0

  async function close(): Promise<void> {
    turn += 1
    const closing = take
    take = null
    await closing?.stop()
  }

  return {
    get isOpen() {
      return take !== null
    },
    close,
    async open(deviceId, onFormat = () => {}) {
      await close()
      const own = turn
      const { promise, resolve, reject } = Promise.withResolvers<AudioFormat>()
      promise.catch(() => {}) // awaited below, unless opening fails first
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
