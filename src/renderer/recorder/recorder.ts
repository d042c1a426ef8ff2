import type { Answer } from '#contract/bridge/method.ts'
import type { Bridge } from '#contract/bridge/methods.ts'
import type { Durable } from '#contract/bridge/recordings.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import type { GapReason, Recording } from '#contract/model/recording.ts'
import { type Ask, codeOf, codeOfAnswer, done, must, onRecordingChanged, requireMicrophone, runningRecording } from './answers.ts'
import type { CapturedRecord, CaptureEnd } from './record-builder.ts'
import { openAgain } from './microphones.ts'
import { createRecordSender, endings, type RecordSender } from './record-sender.ts'
import { createStore, idleState, type Recorder, type RecorderState } from './recorder-state.ts'
import { checkRoom, createHearing } from './room-check.ts'
import { createSignOfLife } from './sign-of-life.ts'
import { plainFormat, createLiveTake } from './take.ts'
import { claimWindow, forgetRecording, keepRecording, keptRecording, recordingBeforeReload } from './window-memory.ts'

export const createRecorder = (bridge: Bridge): Recorder => new WindowRecorder(bridge)
class WindowRecorder implements Recorder {
  readonly #bridge: Bridge
  readonly #store = createStore(idleState)
  readonly #set = this.#store.set
  readonly #hearing = createHearing()
  readonly #take = createLiveTake({
    onRecord: (record) => this.#captured(record),
    onGap: () => void this.#sender?.step(() => this.#attach('interruption')),
    onLost: (why) => void this.#lost(why),
  })
  #windowId = ''
  readonly #claimed = claimWindow().then((name) => void (this.#windowId = name))
  #sender: RecordSender | null = null
  #recordingId = ''
  #deviceId: string | null = null
  #format = plainFormat
  #waiting: CapturedRecord[] = []
  #wish = 0
  #isHalted = false
  readonly #life = createSignOfLife({
    phase: () => this.#state.phase,
    isQuiet: () => this.#isHalted || this.#sender?.unsaved().records === 0,
    attach: () => this.#attach(null),
    onRefused: (code) => void this.#halted(code),
  })

  constructor(bridge: Bridge) {
    this.#bridge = bridge
    onRecordingChanged(bridge, (recording) => recording.id === this.#recordingId && this.#changed(recording))
    bridge.on((name) => {
      // After sleep a microphone may deliver no sound without an error, so reopen it.
      if (name === 'app.resumed' && this.#state.phase === 'recording') void this.#lost('stalled')
    })
    if (keptRecording() !== null) void this.#takeUpAfterReload()
  }

  getState = this.#store.get
  subscribe = this.#store.subscribe
  checkRoom: Recorder['checkRoom'] = (deviceId, onLevel) => checkRoom(this.#bridge, deviceId, onLevel)

  async start({ session_id, device_id }: { session_id: string; device_id: string | null }): Promise<void> {
    if (this.#sender !== null || this.#state.phase === 'starting') return
    this.#begin(device_id)
    try {
      await this.#claimed
      await requireMicrophone(this.#bridge, session_id)
      await this.#openTake(device_id)
      const begun = must(await this.#bridge.call('recordings.start', { session_id, ...this.#window() }))
      void this.#open(begun.recording_id, begun.next_sequence)
      this.#opened('recording')
    } catch (error) {
      await this.#giveUp(error)
    }
  }

  async takeUp(recordingId: string, gap: GapReason | null): Promise<void> {
    if (this.#sender !== null || this.#state.phase === 'starting') return
    this.#begin(keptRecording()?.device_id ?? null)
    try {
      await this.#claimed
      if (gap !== null) await this.#openTake(this.#deviceId)
      const attached = this.#open(recordingId, 0, () => this.#attach(gap))
      this.#keep(gap === null)
      const code = await attached
      if (code !== null) throw new AppError(code)
      this.#opened(gap === null ? 'paused' : 'recording')
    } catch (error) {
      await this.#giveUp(error)
      if (error instanceof AppError) throw error
    }
  }

  async pause(): Promise<void> {
    if (this.#state.phase !== 'recording' && this.#state.phase !== 'trouble') return
    this.#wish += 1
    await this.#take.close()
    this.#set({ phase: 'paused', error: null, peak: 0, rms: 0, silent_since_ms: null, clipping: false })
    this.#life.start()
    await this.#stepTo(true, () => done(this.#bridge.call('recordings.pause', this.#which())))
  }

  async resume(): Promise<void> {
    const { phase, recording, error: trouble } = this.#state
    if ((phase !== 'paused' && phase !== 'trouble') || this.#sender === null) return
    const wish = (this.#wish += 1)
    this.#set({ phase: 'starting', error: null })
    try {
      if (recording !== null) await requireMicrophone(this.#bridge, recording.session_id)
      if (this.#isHalted) this.#sender.reopen()
      this.#isHalted = false
      const gap = String(trouble).startsWith('microphone') ? 'device' : 'interruption'
      const goOn =
        phase === 'paused' ? () => done(this.#bridge.call('recordings.resume', this.#which())) : () => this.#attach(gap)
      await this.#openTake(this.#deviceId, () => void this.#stepTo(false, goOn))
      if (wish === this.#wish) this.#set({ phase: 'recording' })
    } catch (error) {
      if (wish === this.#wish) this.#set({ phase, error: codeOf(error) })
    }
  }

  async finish(): Promise<void> {
    await this.#end(async (ask) => {
      const code = this.#isHalted ? null : ((await this.#sender?.step(ask)) ?? null)
      return this.#isHalted ? codeOfAnswer(await ask()) : code // if halted, e.g. by a full disk, finish what is saved
    }, 'recordings.finish')
  }

  async discard(): Promise<void> {
    await this.#end((ask) => ask().then(codeOfAnswer), 'recordings.erase')
  }

  async handOver(): Promise<void> {
    this.#wish += 1
    await this.#take.close()
    if (!this.#isHalted) await this.#sender?.step(() => Promise.resolve({ ok: true, value: {} }))
  }

  readonly #which = () => ({ recording_id: this.#recordingId })
  readonly #window = () => ({ window_id: this.#windowId, format: this.#format, device_label: this.#state.device_label })

  #begin(deviceId: string | null): void {
    this.#wish += 1
    this.#deviceId = deviceId
    this.#waiting = []
    this.#hearing.reset()
    this.#set({ ...idleState, phase: 'starting' })
  }

  async #openTake(deviceId: string | null, onFormat?: () => void): Promise<void> {
    const { format, device_label } = await this.#take.open(deviceId, onFormat)
    this.#format = format
    this.#set({ device_label })
  }

  #open(recordingId: string, nextSequence: number, first?: () => Promise<Answer<Durable>>): Promise<ErrorCode | null> {
    this.#recordingId = recordingId
    this.#isHalted = false
    this.#keep(false)
    const sender = createRecordSender(
      {
        bridge: this.#bridge,
        recording_id: recordingId,
        attach: () => this.#attach(null),
        onSaved: ({ saved_ms }, { peak, rms }) => this.#count({ saved_ms, peak, rms }),
        onTrouble: (error) => this.#state.phase !== 'trouble' && this.#set({ error }),
        onHalted: (code) => void this.#halted(code),
      },
      nextSequence,
    )
    this.#sender = sender
    const attached = first === undefined ? Promise.resolve(null) : sender.step(first)
    for (const record of this.#waiting) sender.push(record)
    this.#waiting = []
    return attached
  }

  #attach(gap: GapReason | null): Promise<Answer<Durable>> {
    return this.#bridge.call('recordings.attach', { ...this.#which(), ...this.#window(), gap })
  }

  #captured(record: CapturedRecord): void {
    ;(this.#sender ?? this.#waiting).push(record)
    this.#count({})
    this.#set(this.#hearing.hear(record, this.#state.captured_ms))
  }

  #count(saved: Partial<Pick<RecorderState, 'saved_ms' | 'peak' | 'rms'>>): void {
    const unsaved = this.#sender?.unsaved() ?? { records: this.#waiting.length, duration_ms: 0 }
    const saved_ms = Math.max(saved.saved_ms ?? 0, this.#state.saved_ms)
    this.#set({ ...saved, saved_ms, captured_ms: saved_ms + unsaved.duration_ms, unsaved_records: unsaved.records })
  }

  /**
   * Called when the microphone fails or the computer wakes. Keeps the recording open and tries microphones until one works or a
   * change of `#wish` cancels the attempts.
   */
  async #lost(why: CaptureEnd): Promise<void> {
    if (this.#sender === null) return // `start` and `takeUp` handle a failure before the recording is open
    const wish = (this.#wish += 1)
    this.#inTrouble('microphone-lost')
    const gap = why === 'stalled' ? 'interruption' : 'device'
    await openAgain(why === 'stalled' ? this.#deviceId : null, {
      open: (deviceId) => this.#openTake(deviceId, () => void this.#sender?.step(() => this.#attach(gap))),
      isWanted: () => wish === this.#wish,
      onTrouble: (error) => this.#set({ error }),
    })
    if (wish === this.#wish) this.#set({ phase: 'recording', error: null })
  }

  async #halted(code: ErrorCode): Promise<void> {
    this.#wish += 1
    this.#isHalted = true
    await this.#take.close()
    if (this.#state.phase === 'finishing' || this.#sender === null) return
    if (endings.has(code)) this.#reset(code === 'conflict' ? null : code)
    else this.#inTrouble(code)
  }

  #changed(recording: Recording): void {
    this.#set({ recording })
    if (this.#state.phase === 'finishing' || this.#sender === null) return
    if (recording.state === 'finished' || recording.state === 'erased') {
      this.#wish += 1
      void this.#take.close()
      this.#reset(null)
    }
    // The core treats the recording as interrupted, e.g. after sleep. Attaching again continues it or shows that it has
    // ended.
    if (recording.state === 'interrupted') this.#sender.reopen()
  }

  async #end(work: (ask: Ask) => Promise<ErrorCode | null>, name: 'recordings.finish' | 'recordings.erase'): Promise<void> {
    if (this.#sender === null) return
    this.#wish += 1
    this.#set({ phase: 'finishing' })
    await this.#take.close()
    const code = await work(() => done(this.#bridge.call(name, this.#which())))
    if (code === null) return this.#reset(null)
    this.#inTrouble(code)
    throw new AppError(code)
  }

  #inTrouble(error: RecorderState['error']): void {
    this.#set({ phase: 'trouble', error })
    this.#life.start()
  }

  async #giveUp(error: unknown): Promise<void> {
    await this.#take.close()
    this.#reset(codeOf(error))
  }

  #reset(error: RecorderState['error']): void {
    this.#life.stop()
    this.#sender?.close()
    this.#sender = null
    this.#recordingId = ''
    this.#waiting = []
    forgetRecording()
    this.#set({ ...idleState, error })
  }

  /** Attaches to the recording again after a reload, even while the records are locked. A paused one stays paused. */
  async #takeUpAfterReload(): Promise<void> {
    this.#set({ phase: 'starting' })
    await this.#claimed
    const ours = await recordingBeforeReload(this.#bridge, this.#windowId)
    this.#set({ phase: 'idle' })
    if (ours === null) forgetRecording()
    else await this.takeUp(ours.recording_id, ours.is_paused ? null : 'reload').catch(() => {}) // the failure is in the state
  }

  #opened(phase: 'recording' | 'paused'): void {
    const sender = this.#sender
    if (sender === null) return
    if (this.#state.phase === 'starting') this.#set({ phase })
    if (phase === 'paused') this.#life.start()
    else if (!this.#take.isOpen) void this.#lost('track')
    void runningRecording(this.#bridge, () => sender === this.#sender).then((recording) => {
      if (sender !== this.#sender || recording?.id !== this.#recordingId) return
      this.#set({ recording })
      this.#count({ saved_ms: recording.saved_ms })
    })
  }

  async #stepTo(isPaused: boolean, run: () => Promise<Answer<Partial<Durable>>>): Promise<void> {
    if ((await this.#sender?.step(run)) === null) this.#keep(isPaused)
  }

  #keep(isPaused: boolean): void {
    if (this.#recordingId !== '') keepRecording({ ...this.#which(), device_id: this.#deviceId, is_paused: isPaused })
  }

  get #state(): RecorderState {
    return this.#store.get()
  }
}
