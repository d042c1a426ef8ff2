import type { Bridge } from '#contract/bridge/methods.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { codeOf, done, must } from './answers.ts'
import type { MicrophoneTrouble } from './microphones.ts'
import { createRecordSender, type RecordSender } from './record-sender.ts'
import type { CapturedRecord } from './record-builder.ts'
import { createStore } from './recorder-state.ts'
import { createHearing } from './room-check.ts'
import { createLiveTake } from './take.ts'

/** Stops a forgotten dictation before the next client arrives. */
const MAX_MS = 5 * 60_000

export interface DictationState {
  readonly phase: 'idle' | 'starting' | 'recording' | 'stopping'
  readonly section_key: string | null
  readonly captured_ms: number
  readonly peak: number
  readonly silent_since_ms: number | null
  readonly error: ErrorCode | MicrophoneTrouble | null
}

const silent = { captured_ms: 0, peak: 0, silent_since_ms: null }
const idle: DictationState = { ...silent, phase: 'idle', section_key: null, error: null }

/** Unlike a recording, a dictation ends when the microphone fails; what is saved waits at its note. */
export class DictationRecorder {
  readonly #bridge: Bridge
  readonly #store = createStore(idle)
  readonly #hearing = createHearing()
  readonly #take = createLiveTake({
    onRecord: (record) => this.#captured(record),
    onGap: () => {},
    onLost: () => void this.#end('microphone-lost'),
  })
  #running: { readonly id: string; readonly sender: RecordSender } | null = null
  #waiting: CapturedRecord[] = []
  #isStopped = false

  constructor(bridge: Bridge) {
    this.#bridge = bridge
  }

  getState = this.#store.get
  subscribe = this.#store.subscribe
  /** Resolves to the id of the dictation, or to null if nothing of it is saved. */
  stop = (): Promise<string | null> => this.#end(null)

  refuse(section_key: string, error: ErrorCode): void {
    this.#store.set({ section_key, error })
  }

  async start(session_id: string, section_key: string): Promise<void> {
    if (this.#store.get().phase !== 'idle') return
    this.#hearing.reset()
    this.#waiting = []
    this.#isStopped = false
    this.#store.set({ ...idle, phase: 'starting', section_key })
    try {
      await this.#open(session_id, section_key)
      this.#store.set({ phase: 'recording' })
      if (this.#isStopped) await this.#end(null)
    } catch (error) {
      await this.#take.close()
      this.#store.set({ ...idle, section_key, error: codeOf(error) })
    }
  }

  async #open(session_id: string, section_key: string): Promise<void> {
    const bridge = this.#bridge
    must(await bridge.call('app.openMicrophone', { purpose: 'dictation' }))
    const { format } = await this.#take.open(null)
    const window_id = crypto.randomUUID()
    const { id, next_sequence } = must(await bridge.call('dictations.start', { session_id, section_key, window_id, format }))
    const attach = () => bridge.call('dictations.attach', { id, window_id })
    const unheeded = { onSaved: () => {}, onTrouble: () => {} }
    const onHalted = (code: ErrorCode): void => void this.#end(code)
    const sender = createRecordSender({ bridge, recording_id: id, attach, ...unheeded, onHalted }, next_sequence)
    for (const record of this.#waiting) sender.push(record)
    this.#running = { id, sender }
  }

  #captured(record: CapturedRecord): void {
    const captured_ms = this.#store.get().captured_ms + record.duration_ms
    const { silent_since_ms } = this.#hearing.hear(record, captured_ms)
    this.#store.set({ captured_ms, peak: record.peak, silent_since_ms })
    ;(this.#running?.sender ?? this.#waiting).push(record)
    if (captured_ms >= MAX_MS) void this.#end(null)
  }

  /** @param error why it ends; null if it was stopped. An error code means that the rest of the sound can't be saved. */
  async #end(error: DictationState['error']): Promise<string | null> {
    this.#isStopped = true
    const { phase, section_key } = this.#store.get()
    if (phase === 'idle') this.#store.set(idle)
    if (this.#running === null || phase === 'stopping') return null
    const { id, sender } = this.#running
    this.#store.set({ phase: 'stopping' })
    await this.#take.close()
    let savedMs = 0
    const finish = async () => {
      const answer = await this.#bridge.call('dictations.finish', { id })
      if (answer.ok) savedMs = answer.value.saved_ms
      return done(Promise.resolve(answer))
    }
    const isHalted = error !== null && error !== 'microphone-lost'
    const code = isHalted ? error : await sender.step(finish)
    if (code !== null) await finish().catch(() => {}) // The core closes it when the note is opened again.
    sender.close()
    this.#running = null
    this.#store.set({ ...idle, section_key, error: error ?? code })
    return savedMs > 0 ? id : null
  }
}
