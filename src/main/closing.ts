import { app, dialog, type MessageBoxOptions } from 'electron'
import { errorKind, type Log } from '#base/log.ts'
import type { CoreHost } from '#shell/core-host.ts'
import type { z } from 'zod'
import { appMethods } from '#contract/bridge/app.ts'
import type { ShellCalls } from './bridge.ts'
import type { RecordingState } from './microphone.ts'
import type { MainWindow } from './window.ts'
import { words } from './words.ts'

/** Everything the core has acknowledged is on disk, so a quit that hangs can be cut short. */
const MAX_QUIT_MS = 10_000
const MAX_HAND_OVER_MS = 3000
const MAX_FINISH_MS = 4000

interface ClosingOptions {
  readonly core: Pick<CoreHost, 'call' | 'isLocked'> & { close(): Promise<unknown> }
  readonly window: () => MainWindow | null
  readonly recording: RecordingState
  readonly handOver: HandOver
  readonly log: Log
}

type Phase = 'open' | 'asking' | 'finishing' | 'closing' | 'closed'

/**
 *   open --close or quit, no recording--> finishing --> closing --> closed: the app quits
 *     +--close or quit, recording open--> asking --finish--> finishing
 *     |                                     +--keep--> open
 *     +--shutdown, log-off, signal--> finishing (an open question is withdrawn)
 *
 * A second quit in `closing` exits at once; in `finishing` it has no effect. Installing an update takes the same way from
 * `open` to `closed` without asking, and does not quit the app here.
 */
export class Closing {
  readonly #options: ClosingOptions
  #phase: Phase = 'open'
  #question = new AbortController()

  constructor(options: ClosingOptions) {
    this.#options = options
  }

  get isClosing(): boolean {
    return this.#phase !== 'open' && this.#phase !== 'asking'
  }

  onClose(event: { preventDefault(): void }): void {
    if (this.#phase === 'closed') return
    event.preventDefault()
    void this.#ask()
  }

  onQuit(event: { preventDefault(): void }): void {
    if (this.#phase === 'closed') return
    event.preventDefault()
    if (this.#phase === 'closing') app.exit(0)
    else void this.#ask()
  }

  /** Quits without asking: at shutdown there is no time for an answer. */
  now(): void {
    if (this.isClosing) return
    this.#question.abort()
    void this.#finish(this.#options.recording.openId)
  }

  /** Closes everything but leaves the app running. Rejects if the app is already closing or asking whether to close. */
  async closeForUpdate(): Promise<void> {
    if (this.#phase !== 'open') throw new Error('the app is already closing')
    this.#phase = 'finishing'
    await this.#options.handOver.before('closing', MAX_HAND_OVER_MS)
    this.#phase = 'closing'
    await within(MAX_QUIT_MS, this.#options.core.close())
    this.#phase = 'closed'
  }

  get isClosed(): boolean {
    return this.#phase === 'closed'
  }

  async #ask(): Promise<void> {
    if (this.#phase !== 'open') return
    const recordingId = this.#options.recording.openId
    if (recordingId === null) return this.#finish(null)
    this.#phase = 'asking'
    const isFinishing = await this.#isFinishing()
    if (this.#phase !== 'asking') return
    if (isFinishing) await this.#finish(recordingId)
    else this.#phase = 'open'
  }

  async #isFinishing(): Promise<boolean> {
    const { core } = this.#options
    const { message, detail, keep, finish } = core.isLocked() ? words.quitWhileLocked : words.finishBeforeQuitting
    this.#question = new AbortController()
    const { signal } = this.#question
    const buttons = [keep, finish]
    const box: MessageBoxOptions = { type: 'question', message, detail, buttons, defaultId: 0, cancelId: 0, signal }
    const window = this.#options.window()
    window?.show()
    const { response } = await (window === null ? dialog.showMessageBox(box) : dialog.showMessageBox(window.browserWindow, box))
    return response === 1
  }

  /** @param recordingId the recording to finish, even if the window does not respond */
  async #finish(recordingId: string | null): Promise<void> {
    const { core, log } = this.#options
    const tooLong = setTimeout(() => {
      log.error('quit.too-long', { phase: this.#phase })
      app.exit(0)
    }, MAX_QUIT_MS)
    this.#phase = 'finishing'
    await this.#options.handOver.before('closing', MAX_HAND_OVER_MS)
    // The core refuses `recordings.finish` while the records are locked. The therapist can then resume or finish the
    // recording at the next start.
    if (recordingId !== null) await within(MAX_FINISH_MS, core.call('recordings.finish', { recording_id: recordingId }))
    this.#phase = 'closing'
    await core.close().catch((error: unknown) => log.error('quit.close-failed', { kind: errorKind(error) }))
    clearTimeout(tooLong)
    this.#phase = 'closed'
    app.quit()
  }
}

const inputSchema = appMethods['app.handedOver'].input
type Occasion = z.infer<typeof inputSchema>['before']

interface HandOverOptions {
  readonly window: () => MainWindow | null
  readonly send: (name: string, payload: unknown) => void
}

export interface HandOver {
  /** The window saves its edits and, before closing, sends buffered audio. Resolves after `maxMs` at the latest. */
  before(occasion: Occasion, maxMs: number): Promise<void>
  readonly calls: ShellCalls
}

export function createHandOver({ window, send }: HandOverOptions): HandOver {
  const waiting = new Map<Occasion, () => void>()
  return {
    async before(occasion, maxMs) {
      const handedOver = new Promise<void>((done) => waiting.set(occasion, done))
      send(`app.${occasion}`, {})
      if (window()?.isAlive() === true) await within(maxMs, handedOver)
    },
    calls: {
      async 'app.handedOver'(input, core) {
        const answer = await core()
        if (answer.ok) waiting.get(inputSchema.parse(input).before)?.()
        return answer
      },
    },
  }
}

export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise((done) => (timer = setTimeout(done, milliseconds)))
  await Promise.race([work.catch(() => {}), tooLong])
  clearTimeout(timer)
}
