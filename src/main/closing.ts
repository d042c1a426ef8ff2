import { app, dialog, type MessageBoxOptions } from 'electron'
import { within as settleWithin } from '#base/control.ts'
import { errorKind, type Log } from '#base/log.ts'
import type { CoreHost } from '#shell/core-host.ts'
import type { z } from 'zod'
import { appMethods } from '#contract/bridge/app.ts'
import type { ShellCalls } from './bridge.ts'
import type { RecordingState } from './microphone.ts'
import type { MainWindow } from './window.ts'
import { words } from './words.ts'

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
 *   open --close or quit, recording open--> asking --finish--> finishing
 *   asking --keep recording--> open
 *   open, asking --shutdown, log-off, signal--> finishing (an open question is withdrawn)
 *   open --update--> finishing --> closing --> closed: the updater ends the app
 *
 * A quit in `closing` exits at once. Without an update, the app also exits if it is not closed 10 s after `finishing` began.
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

  /** Quits and finishes an open recording without asking: a shutdown or signal leaves no time for an answer. */
  now(): void {
    if (this.isClosing) return
    this.#question.abort()
    void this.#finish(this.#options.recording.openId)
  }

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

  async #finish(recordingId: string | null): Promise<void> {
    const { core, log } = this.#options
    const tooLong = setTimeout(() => {
      log.error('quit.too-long', { phase: this.#phase })
      app.exit(0)
    }, MAX_QUIT_MS)
    this.#phase = 'finishing'
    await this.#options.handOver.before('closing', MAX_HAND_OVER_MS)
    // While the records are locked, the core refuses this call. The user can resume or finish the recording after unlocking.
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

export type HandOver = ReturnType<typeof createHandOver>

export function createHandOver({ window, send }: HandOverOptions) {
  const waiting = new Map<Occasion, () => void>()
  return {
    /** Asks the window to save its edits and, before closing, to send buffered audio. */
    async before(occasion: Occasion, maxMs: number): Promise<void> {
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
    } satisfies ShellCalls,
  }
}

export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await settleWithin(
    work.catch(() => {}),
    milliseconds,
    () => {},
  )
}
