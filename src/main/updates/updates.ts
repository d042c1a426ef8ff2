import type { AppState } from '#contract/bridge/app.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { UpdateFailure, UpdateState, OfferedVersion } from '#contract/bridge/updates.ts'
import { AppError } from '#contract/errors.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { errorKind, type Log } from '#base/log.ts'

const DAY_MS = 24 * 3600_000

const unforeseen: Readonly<Partial<Record<UpdateState['phase'], UpdateFailure>>> = {
  checking: 'feed-unreadable',
  downloading: 'download-interrupted',
}

export type UpdateSettings = Pick<Settings, 'updates_check' | 'updates_mirror'>

export interface UpdatePorts {
  readonly delivery: UpdateState['delivery']
  readonly openSource: (mirror: string | null) => Promise<UpdateSource>
  readonly onChange: (state: UpdateState) => void
  readonly clock: Clock
  readonly log: Log
  readonly later: (run: () => void, delay: number) => () => void
  readonly allSaved: () => Promise<boolean>
  readonly beforeInstall: (() => Promise<void>) | null
  /** Rejects if the app is closing, or is asking the user whether to close. */
  readonly closeCore: () => Promise<void>
  /** @param restart false if the installer starts the new version */
  readonly endApp: (restart: boolean) => void
}

/**
 *   idle, up-to-date, available, failed --check--> checking --> up-to-date | available | failed
 *   available, failed --download, if `delivery` is 'install' and a version is offered--> downloading --> ready | failed
 *   ready --install--> installing --> (the app ends) | ready | failed
 *   any except installing --the update mirror changes--> idle
 *
 * If the app cannot be closed, the phase returns to `ready` without a new obstacle or failure.
 * Automatic checks need a `delivery` of 'install' or 'notify', open records and the setting `updates_check`. Without a check
 * since the app started, they begin at once, otherwise a day after the last check, automatic or not.
 */
export class Updates {
  readonly #ports: UpdatePorts
  #state: UpdateState
  #settings: UpdateSettings | null = null
  #mirror: string | null = null
  #isRecording = false
  #source: Promise<UpdateSource> | null = null
  /** Monotonic milliseconds when a check last began, or when an automatic check was due and the phase did not allow it. */
  #lastCheck: number | null = null
  #cancelNext = (): void => {}

  constructor(ports: UpdatePorts) {
    this.#ports = ports
    const nothing = { offered: null, progress: null, failure: null, obstacle: null, checked_at: null }
    this.#state = { delivery: ports.delivery, phase: 'idle', ...nothing }
  }

  get state(): UpdateState {
    return this.#state
  }

  /** @param settings null unless the records are open */
  adoptSettings(settings: UpdateSettings | null): void {
    this.#settings = settings
    if (settings !== null && settings.updates_mirror !== this.#mirror && this.#state.phase !== 'installing') {
      this.#mirror = settings.updates_mirror
      if (this.#source !== null) this.#set({ phase: 'idle', offered: null, progress: null, failure: null })
      this.#source = null
    }
    this.#planCheck()
  }

  adoptRecording(recordingId: AppState['recording_id']): void {
    this.#isRecording = recordingId !== null
    const obstacle = this.#isRecording ? 'recording' : null
    if (obstacle !== this.#state.obstacle) this.#set({ obstacle })
  }

  async check(): Promise<UpdateState> {
    const { phase } = this.#state
    if (phase === 'checking' || phase === 'downloading' || phase === 'ready' || phase === 'installing') return this.#state
    const source = this.#openSource()
    this.#lastCheck = this.#ports.clock.elapsed()
    this.#planCheck()
    this.#set({ phase: 'checking', failure: null })
    await this.#step(source, async (opened) => {
      const offered = await opened.check()
      const checked_at = timestamp(this.#ports.clock)
      return { phase: offered === null ? 'up-to-date' : 'available', offered, checked_at }
    })
    return this.#state
  }

  download(): UpdateState {
    const { phase, offered } = this.#state
    if (this.#ports.delivery !== 'install' || offered === null || (phase !== 'available' && phase !== 'failed'))
      throw new AppError('conflict')
    const source = this.#openSource()
    this.#set({ phase: 'downloading', progress: 0, failure: null })
    void this.#step(source, async (opened) => {
      await opened.download((progress) => {
        if (this.#source === source && Math.floor(progress * 100) > Math.floor((this.#state.progress ?? 0) * 100))
          this.#set({ progress })
      })
      return { phase: 'ready' }
    })
    return this.#state
  }

  async install(): Promise<UpdateState> {
    const source = this.#source
    if (this.#state.phase !== 'ready' || source === null) throw new AppError('conflict')
    if (this.#isRecording) return this.#state
    this.#set({ phase: 'installing', obstacle: null })
    if (!(await this.#ports.allSaved())) {
      this.#set({ phase: 'ready', obstacle: 'unsaved' })
      return this.#state
    }
    const opened = await source
    try {
      await this.#prepareInstall(opened)
    } catch (error) {
      this.#fail(error)
      return this.#state
    }
    // A recording may have started since the install began.
    if (this.#isRecording) this.#set({ phase: 'ready', obstacle: 'recording' })
    else await this.#closeAndInstall(opened)
    return this.#state
  }

  async #prepareInstall(source: UpdateSource): Promise<void> {
    await this.#ports.beforeInstall?.().catch((error: unknown) => {
      this.#ports.log.error('update.backup', { kind: errorKind(error) })
      throw new UpdateError('backup-failed')
    })
    await source.verify()
  }

  async #closeAndInstall(source: UpdateSource): Promise<void> {
    try {
      await this.#ports.closeCore()
    } catch (error) {
      this.#ports.log.warn('update.app-not-closed', { kind: errorKind(error) })
      this.#set({ phase: 'ready' })
      return
    }
    try {
      const { startsApp } = await source.install()
      this.#ports.log.info('update.installed')
      this.#ports.endApp(!startsApp)
    } catch (error) {
      this.#ports.log.error('update.not-installed', { kind: errorKind(error) })
      this.#ports.endApp(true)
    }
  }

  async #step(source: Promise<UpdateSource>, run: (opened: UpdateSource) => Promise<Partial<UpdateState>>): Promise<void> {
    try {
      const change = await run(await source)
      if (this.#source === source) this.#set({ progress: null, ...change })
    } catch (error) {
      if (this.#source === source) this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    const { phase } = this.#state
    const failure = error instanceof UpdateError ? error.code : (unforeseen[phase] ?? 'install-failed')
    this.#ports.log.warn('update.failed', { code: failure, kind: errorKind(error) })
    const isKept = phase === 'installing' && failure !== 'download-damaged'
    this.#set({ phase: isKept ? 'ready' : 'failed', progress: null, failure })
  }

  #openSource(): Promise<UpdateSource> {
    if (!this.#canCheck) throw new AppError('not-offered')
    if (this.#settings === null) throw new AppError('vault-locked')
    this.#source ??= this.#ports.openSource(this.#mirror)
    return this.#source
  }

  get #canCheck(): boolean {
    return this.#ports.delivery === 'install' || this.#ports.delivery === 'notify'
  }

  #planCheck(): void {
    this.#cancelNext()
    if (this.#settings?.updates_check !== true || !this.#canCheck) return
    const passed = this.#lastCheck === null ? DAY_MS : this.#ports.clock.elapsed() - this.#lastCheck
    this.#cancelNext = this.#ports.later(() => this.#checkUnasked(), Math.max(0, DAY_MS - passed))
  }

  #checkUnasked(): void {
    this.#lastCheck = this.#ports.clock.elapsed()
    this.#planCheck()
    void this.check()
  }

  #set(change: Partial<UpdateState>): void {
    this.#state = { ...this.#state, ...change }
    this.#ports.onChange(this.#state)
  }
}

export interface UpdateSource {
  check(): Promise<OfferedVersion | null>
  download(onProgress: (progress: number) => void): Promise<void>
  verify(): Promise<void>
  install(): Promise<{ readonly startsApp: boolean }>
}

export class UpdateError extends Error {
  override readonly name = 'UpdateError'
  readonly code: UpdateFailure

  constructor(code: UpdateFailure) {
    super(code)
    this.code = code
  }
}
