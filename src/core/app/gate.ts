import { type AppState, type Trouble, troubleSchema } from '#contract/bridge/app.ts'
import type { Emit } from '#contract/bridge/events.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import { newId } from '#base/ids.ts'
import { errorKind } from '#base/log.ts'
import { convert } from '#base/sqlite.ts'
import { markDamaged } from '#core/recovery/damage-watch.ts'
import { keepKeys, settleKeys } from '#core/recovery/settle-keys.ts'
import { createSettingsRepository } from '#core/settings/settings-repository.ts'
import { changePassphrase, newRecoveryCode } from '#core/vault/change-access.ts'
import { isFedUnderLock } from '#core/recordings/refresh.ts'
import { mayBeOlder } from '#core/vault/key-copies.ts'
import { migrations } from '#core/vault/migrations.ts'
import { keyedFiles } from '#core/vault/profile-files.ts'
import { createVault, inspectVault, type OpenVault, openVault, type VaultPorts } from '#core/vault/vault.ts'
import type { CorePorts } from './open-core.ts'
import { type GateMethods, openProfile, type Profile } from './open-profile.ts'

const isDamage = (error: unknown): boolean => error instanceof AppError && error.code === 'database-damaged'

const WATCH_MS = 1000

const noKeyFacts: Pick<AppState, 'keys_may_be_older' | 'unopened_files'> = { keys_may_be_older: false, unopened_files: [] }

const codeMade = { proven: 'access.recovery-code-made', unproven: 'access.recovery-code-made-unproven' } as const

/** Creates, unlocks, and locks the vault. These transitions run one at a time. */
export class Gate {
  readonly #ports: CorePorts
  readonly #vault: VaultPorts
  readonly #underWay = new Set<Promise<unknown>>()
  #state: AppState
  #profile: Profile | null = null
  #opened: OpenVault | null = null
  #last: Promise<unknown> = Promise.resolve()

  constructor(ports: CorePorts) {
    const { folder, keychain, clock, log, shell, app_version, platform, system_locale } = ports
    this.#ports = ports
    this.#vault = { folder, keychain, clock, log, migrations }
    const unknown = { trouble: null, protection: null, keychain_available: false, recording_id: null }
    const known = { shell, app_version, platform, system_locale, data_folder: folder }
    this.#state = { phase: 'starting', ...unknown, ...noKeyFacts, ...known }
    setInterval(() => void this.#watchUnderLock().catch(() => {}), WATCH_MS).unref()
  }

  get state(): AppState {
    return this.#state
  }

  get profile(): Profile | null {
    return this.#profile
  }

  readonly handlers: Handlers<GateMethods> = {
    'app.state': () => this.#state,
    // Electron's main process acts on these three methods. The core only accepts them, even while the vault is locked.
    'app.handedOver': () => ({}),
    'app.copied': () => ({ cleared_after_s: null }),
    'app.selfTested': () => ({}),
    'vault.create': (input) => this.#inTurn(() => this.#create(input)),
    'vault.unlock': (unlock) => this.#unlessOpen(() => this.#open(() => openVault(this.#vault, unlock))),
    'vault.retry': () => this.#unlessOpen(() => this.#begin(false)),
    'vault.lock': () =>
      this.#inTurn(async () => {
        if (this.#profile === null) return {}
        const closed = this.#shut()
        this.#show({ phase: 'locked' })
        await closed
        await this.#watchUnderLock()
        return {}
      }),
    'vault.changePassphrase': ({ proof, passphrase }) =>
      this.#audited('access.passphrase-changed', async () => {
        await changePassphrase(this.#vault, proof, passphrase)
        return {}
      }),
    'vault.newRecoveryCode': ({ proof }) =>
      this.#audited(proof === null ? codeMade.unproven : codeMade.proven, async () => ({
        recovery_code: await newRecoveryCode(this.#vault, proof),
      })),
    'vault.recoveryCodeMade': () => {
      if (this.#profile === null) throw new AppError('vault-locked')
      const last = this.#profile.lastAccess(Object.values(codeMade))
      return last && { made_at: last.at, is_proven: last.action === codeMade.proven }
    },
  }

  begin(isLocked: boolean): Promise<void> {
    return this.#inTurn(() => this.#begin(isLocked))
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#shut())
  }

  /** Locking and closing wait for running calls, except `vault.*`, so that none of them uses a closed database. */
  async during<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const call = work()
    if (name.startsWith('vault.')) return call
    this.#underWay.add(call)
    try {
      return await call
    } finally {
      this.#underWay.delete(call)
    }
  }

  async #begin(isLocked: boolean): Promise<void> {
    const { phase: found, trouble, protection, keychain_available } = await inspectVault(this.#vault)
    const recording_id = await this.#recordingUnderWay()
    const keyFacts = found === 'first_run' ? noKeyFacts : this.#keyFacts(trouble)
    this.#state = { ...this.#state, trouble, protection, keychain_available, recording_id, ...keyFacts }
    if (found === 'openable' && !isLocked) return this.#open(() => openVault(this.#vault))
    this.#show({ phase: found === 'openable' ? 'locked' : found })
  }

  #keyFacts(trouble: Trouble | null): typeof noKeyFacts {
    const { folder, log } = this.#ports
    try {
      const keys_may_be_older = trouble !== 'keys-missing' && mayBeOlder(folder)
      return { keys_may_be_older, unopened_files: trouble === 'keys-mismatch' ? keyedFiles(folder) : [] }
    } catch (error) {
      log.warn('vault.key-facts', { kind: errorKind(error) })
      return noKeyFacts
    }
  }

  async #create(input: Parameters<Handlers['vault.create']>[0]): Promise<{ recovery_code: string }> {
    if (this.#profile !== null) throw new AppError('vault-exists')
    const { protection, passphrase, therapist_name, therapist_credential } = input
    const { vault, recovery_code } = await createVault(this.#vault, { protection, passphrase })
    createSettingsRepository(vault.db).put({ therapist_id: newId(this.#ports.clock), therapist_name, therapist_credential })
    this.#state = { ...this.#state, protection }
    try {
      await this.#enter(vault)
    } catch (error) {
      // Don't throw: the vault exists, and this is the only time its recovery code is shown.
      this.#ports.log.error('profile.not-opened', { kind: errorKind(error) })
      this.#show({ phase: 'trouble', trouble: 'disk-failed' })
    }
    return { recovery_code }
  }

  async #open(unlock: () => Promise<OpenVault>): Promise<void> {
    try {
      await this.#enter(await unlock()).catch(async (error: unknown) => {
        if (!isDamage(error)) throw error
        markDamaged(this.#ports.folder)
        await this.#enter(await unlock())
      })
    } catch (error) {
      const trouble = troubleSchema.safeParse(error instanceof AppError ? error.code : null)
      if (!trouble.success) throw error
      this.#show({ phase: 'trouble', trouble: trouble.data, ...this.#keyFacts(trouble.data) })
    }
  }

  async #enter(vault: OpenVault): Promise<void> {
    try {
      settleKeys(this.#vault, vault)
      this.#profile = await openProfile(this.#ports, vault, this.#emit)
      this.#opened = vault
    } catch (error) {
      vault.close()
      throw convert(error)
    }
    this.#show({ phase: 'ready', trouble: null, ...noKeyFacts, recording_id: await this.#recordingUnderWay() })
  }

  async #shut(): Promise<void> {
    const profile = this.#profile
    this.#profile = null
    profile?.beginClose()
    await Promise.allSettled(this.#underWay)
    await profile?.close()
  }

  readonly #emit: Emit = (name, payload) => {
    this.#ports.emit(name, payload)
    if (name !== 'recording.changed') return
    const { id, state } = payload as { id: string; state: string }
    const ended = this.#state.recording_id === id ? null : this.#state.recording_id
    const recording_id = state === 'recording' || state === 'paused' ? id : ended
    if (recording_id !== this.#state.recording_id) this.#show({ recording_id })
  }

  #show(change: Partial<AppState>): void {
    this.#state = { ...this.#state, ...change }
    this.#ports.emit('app.changed', this.#state)
  }

  #unlessOpen(work: () => Promise<void>): Promise<Record<string, never>> {
    return this.#inTurn(async () => {
      if (this.#profile === null) await work()
      return {}
    })
  }

  /**
   * Audits the attempt before the change. If auditing the outcome fails, still returns the result, which may be a new recovery
   * code.
   */
  #audited<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      if (this.#profile === null) throw new AppError('vault-locked')
      const { auditAccess } = this.#profile
      const ended = (outcome: string): void => {
        try {
          auditAccess(action, outcome)
        } catch (error) {
          this.#ports.log.error('audit.not-written', { kind: errorKind(error) })
        }
      }
      auditAccess('access.change-begun', 'done')
      try {
        const result = await work()
        this.#keepKeys()
        ended('done')
        return result
      } catch (error) {
        ended(error instanceof AppError ? error.code : 'internal')
        throw error
      }
    })
  }

  #keepKeys(): void {
    try {
      if (this.#opened !== null) keepKeys(this.#vault, this.#opened)
    } catch (error) {
      this.#ports.log.warn('envelope.not-kept', { kind: errorKind(error) })
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work, work)
    this.#last = result.catch(() => {})
    return result
  }

  async #recordingUnderWay(): Promise<string | null> {
    return (await this.#ports.append.status()).find(isFedUnderLock)?.recording_id ?? null
  }

  async #watchUnderLock(): Promise<void> {
    if (this.#state.phase !== 'locked') return
    const recording_id = await this.#recordingUnderWay()
    if (this.#state.phase === 'locked' && recording_id !== this.#state.recording_id) this.#show({ recording_id })
  }
}
