import type { Answer } from '#contract/bridge/method.ts'
import type { Bridge } from '#contract/bridge/methods.ts'
import type { Durable } from '#contract/bridge/recordings.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { CapturedRecord } from './record-builder.ts'

const IN_FLIGHT = 6
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000

export const endings: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'gone',
  'not-found',
  'conflict',
  'consent-missing',
  'recording-active',
])

const lasting: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...endings,
  'disk-full',
  'validation-failed',
  'bad-request',
  'recording-damaged',
])

interface HeldRecord extends CapturedRecord {
  readonly kind: 'record'
  sequence: number | null
  isSent: boolean
}

interface Step {
  readonly kind: 'step'
  readonly run: () => Promise<Answer<Partial<Durable>>>
  readonly settle: (code: ErrorCode | null) => void
}

export interface SenderPorts {
  readonly bridge: Bridge
  readonly recording_id: string
  attach(): Promise<Answer<Durable>>
  onSaved(durable: Durable, record: CapturedRecord): void
  onTrouble(code: ErrorCode | null): void
  onHalted(code: ErrorCode): void
}

export const createRecordSender = (ports: SenderPorts, nextSequence: number) => new RecordSender(ports, nextSequence)

export class RecordSender {
  readonly #ports: SenderPorts
  readonly #forget: () => void
  #queue: (HeldRecord | Step)[] = []
  #mode: 'open' | 'broken' | 'halted' | 'closed' = 'open'
  #next: number
  #inFlight = 0
  /** Incremented when sending breaks off, resumes or ends. Failures of calls from an earlier epoch are ignored. */
  #epoch = 0
  #pause = FIRST_PAUSE_MS
  #timer: ReturnType<typeof setTimeout> | undefined
  /**
   * The sequence number last refused with `sequence-gap`, or null. If the core expects a higher number at the next attach, the
   * core has other sound under this number.
   */
  #taken: number | null = null

  constructor(ports: SenderPorts, nextSequence: number) {
    this.#ports = ports
    this.#next = nextSequence
    this.#forget = ports.bridge.onConnection((connected) => {
      if (!connected && this.#mode === 'open') this.#break('service-unreachable')
      if (connected && this.#mode === 'broken') void this.#ask()
    })
  }

  push(record: CapturedRecord): void {
    if (this.#mode === 'closed') return
    this.#queue.push({ ...record, kind: 'record', sequence: null, isSent: false })
    this.#send()
  }

  /**
   * Calls `run` after all earlier records are on disk, and again after a temporary failure. Resolves to null after success, to
   * the error code of a permanent failure, or to `cancelled` if `close` is called before `run` has succeeded.
   */
  step(run: Step['run']): Promise<ErrorCode | null> {
    return new Promise((settle) => {
      this.#queue.push({ kind: 'step', run, settle })
      this.#send()
    })
  }

  reopen(): void {
    if (this.#mode === 'closed') return
    this.#break(null)
    void this.#ask()
  }

  unsaved(): { records: number; duration_ms: number } {
    const records = this.#queue.filter((item) => item.kind === 'record')
    return { records: records.length, duration_ms: records.reduce((sum, record) => sum + record.duration_ms, 0) }
  }

  close(): void {
    this.#mode = 'closed'
    this.#epoch += 1
    clearTimeout(this.#timer)
    this.#forget()
    this.#giveUpSteps('cancelled')
    this.#queue = []
  }

  #giveUpSteps(code: ErrorCode): void {
    for (const item of this.#queue) if (item.kind === 'step') item.settle(code)
    this.#queue = this.#queue.filter((item) => item.kind === 'record')
  }

  #send(): void {
    for (const item of this.#queue) {
      if (this.#mode !== 'open' || this.#inFlight >= IN_FLIGHT) return
      if (item.kind === 'step') {
        if (item === this.#queue[0] && this.#inFlight === 0) void this.#run(item)
        return
      }
      if (!item.isSent) void this.#append(item)
    }
  }

  async #append(record: HeldRecord): Promise<void> {
    record.sequence ??= this.#next++
    record.isSent = true
    const { sequence, packets, peak, rms } = record
    const { recording_id, bridge } = this.#ports
    await this.#call(
      () => bridge.call('recordings.append', { recording_id, sequence, packets, peak, rms }),
      (durable) => this.#saved(record, durable),
      (code) => {
        if (code === 'sequence-gap') this.#taken = sequence
      },
    )
  }

  async #run(step: Step): Promise<void> {
    await this.#call(
      step.run,
      (durable) => {
        this.#queue = this.#queue.filter((item) => item !== step)
        if (durable.next_sequence !== undefined) this.#next = durable.next_sequence
        step.settle(null)
      },
      (code) => {
        if (!lasting.has(code)) return
        this.#queue = this.#queue.filter((item) => item !== step)
        step.settle(code)
      },
    )
  }

  async #call<Value>(
    ask: () => Promise<Answer<Value>>,
    onAnswer: (value: Value) => void,
    onFailure: (code: ErrorCode) => void,
  ): Promise<void> {
    const epoch = this.#epoch
    this.#inFlight += 1
    const answer = await ask().catch((): Answer<Value> => ({ ok: false, error: { code: 'service-unreachable' } }))
    if (this.#mode === 'closed') return
    if (answer.ok) onAnswer(answer.value)
    if (epoch !== this.#epoch) return
    this.#inFlight -= 1
    if (!answer.ok) {
      onFailure(answer.error.code)
      this.#fail(answer.error.code)
    }
    this.#send()
  }

  #saved(record: HeldRecord, durable: Durable): void {
    this.#pause = FIRST_PAUSE_MS
    this.#queue = this.#queue.filter((item) => item !== record)
    this.#ports.onSaved(durable, record)
  }

  #fail(code: ErrorCode): void {
    if (lasting.has(code)) {
      this.#break(null)
      this.#mode = 'halted'
      this.#ports.onHalted(code)
      this.#giveUpSteps(code)
      return
    }
    this.#break(code)
    this.#timer = setTimeout(() => void this.#ask(), this.#pause)
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS)
  }

  #break(code: ErrorCode | null): void {
    this.#mode = 'broken'
    this.#epoch += 1
    this.#inFlight = 0
    clearTimeout(this.#timer)
    for (const item of this.#queue) if (item.kind === 'record') item.isSent = false
    if (code !== null) this.#ports.onTrouble(code)
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer)
    const epoch = (this.#epoch += 1)
    const answer = await this.#ports
      .attach()
      .catch((): Answer<Durable> => ({ ok: false, error: { code: 'service-unreachable' } }))
    if (epoch !== this.#epoch || this.#mode === 'closed') return
    if (!answer.ok) {
      this.#fail(answer.error.code)
      return
    }
    this.#settle(answer.value)
    this.#mode = 'open'
    this.#ports.onTrouble(null)
    this.#send()
  }

  #settle(durable: Durable): void {
    const isTaken = this.#taken !== null && durable.next_sequence > this.#taken
    this.#taken = null
    this.#next = durable.next_sequence
    for (const item of this.#queue) {
      if (item.kind !== 'record' || item.sequence === null) continue
      if (!isTaken && item.sequence < durable.next_sequence) this.#saved(item, durable)
      else item.sequence = this.#next++
    }
  }
}
