import type { MovingLook, MovingState, ServiceKeyState } from '#contract/bridge/moving.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { timestamp } from '#base/clock.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import { checkAddress, type SettingsRepository } from '#core/settings/settings-repository.ts'
import type { ServiceKeys } from '#core/settings/service-keys.ts'
import type { SignInDesk } from '#core/sign-in/sign-in-desk.ts'
import { textOf } from '#core/sign-in/session.ts'
import { previewTarget, problemsOfCaller } from './preview.ts'
import type { Migrator } from './migrator.ts'
import type { Migration, MigrationRepository } from './migration-repository.ts'
import { authorizationsOf, hasHours } from './service-records.ts'
import type { RecordParts } from '#core/records/repositories.ts'

interface Parts extends Pick<RecordParts, 'db' | 'clock' | 'change'> {
  readonly migration: MigrationRepository
  readonly migrator: Migrator
  readonly serviceKeys: ServiceKeys
  readonly settingsRepository: SettingsRepository
  readonly signIns: SignInDesk
  readonly fetch: typeof fetch
  readonly connection: () => ServiceClient
  readonly to: () => ServiceClient
  readonly switchNow: (migration: Migration) => Promise<void>
  readonly keyState: () => ServiceKeyState
  readonly onChanged: () => void
  readonly beforeLook: () => void
}

type Names = Extract<keyof Handlers, `moving.${string}`>

const nothing = { total: 0, sent: 0, checked: 0, differing: 0 }
const MAX_LISTED = 200
const MAX_ROUNDS = 20
const whyNot = { quota: 'quota-exceeded', network: 'service-unreachable', key: 'unauthenticated' } as const satisfies Record<
  string,
  ErrorCode
>

export const migrationHandlers = (parts: Parts): Handlers<Names> => ({
  'moving.state': () => stateOf(parts),
  ...previewHandlers(parts),
  ...sendingHandlers(parts),
  'moving.keyState': parts.keyState,
})

function previewHandlers(parts: Parts): Handlers<'moving.look' | 'moving.signIn' | 'moving.finishSignIn'> {
  const { migration, signIns, serviceKeys: keys } = parts
  return {
    async 'moving.look'({ address, key }) {
      await beginAt(parts, address === null ? null : checkAddress(address, '/address'))
      signIns.close()
      parts.beforeLook()
      if (key !== null) await keys.set('moving', key)
      return look(parts)
    },
    async 'moving.signIn'({ address }) {
      const checked = checkAddress(address, '/address')
      await beginAt(parts, checked)
      return { address: await signIns.begin(checked) }
    },
    async 'moving.finishSignIn'() {
      const signedIn = await signIns.finish()
      if (signedIn.provider.resource.replace(/\/+$/, '') !== migration.get()?.address)
        throw new AppError('cancelled', 'The sign-in was for another service.')
      required(parts, 'looked')
      await keys.set('moving', textOf(signedIn))
      return look(parts)
    },
  }
}

type Sending = 'moving.setKey' | 'moving.send' | 'moving.confirm' | 'moving.undo' | 'moving.eraseOldStore'

function sendingHandlers(parts: Parts): Handlers<Sending> {
  const { migrator, serviceKeys: keys, signIns, onChanged } = parts
  return {
    async 'moving.setKey'({ key }) {
      await requireOwnKey(parts, key)
      required(parts, 'sending', 'checked')
      await keys.set('moving', key)
      migrator.wake()
      onChanged()
      return stateOf(parts)
    },
    'moving.send'({ over }) {
      const now = required(parts, 'looked', 'sending', 'checked')
      if (now.look === null || now.look.problems.some(({ blocking }) => blocking)) throw new AppError('conflict')
      signIns.close()
      const again = over ? 'all' : now.phase === 'looked' ? 'new' : 'refused'
      put(parts, 'moving.sending', { phase: 'sending', again })
      migrator.wake()
      return stateOf(parts)
    },
    async 'moving.confirm'({ leaving }) {
      await confirm(parts, leaving)
      return stateOf(parts)
    },
    async 'moving.undo'() {
      required(parts, 'looked', 'sending', 'checked')
      signIns.close()
      put(parts, 'moving.undone', { phase: 'undone', again: 'new' })
      migrator.halt()
      await forgetKey(keys)
      onChanged()
      return stateOf(parts)
    },
    'moving.eraseOldStore'() {
      const now = required(parts, 'looked', 'sending', 'checked', 'confirmed', 'undone')
      if (!isCopyAlone(now, parts.settingsRepository.get().service_address))
        throw new AppError('conflict', 'The service inside this app is in use.')
      const { old_store } = now
      if (old_store === 'kept') put(parts, 'moving.old-store-erased', { old_store: 'erasing' })
      return stateOf(parts)
    },
  }
}

/** The key must belong to the person who began the migration, because later calls act as that person. */
async function requireOwnKey(parts: Parts, token: string): Promise<void> {
  const { address, person_id } = required(parts, 'sending', 'checked')
  if (address === null) throw new AppError('conflict', 'The service inside this app takes no key.')
  const { data: me } = await createServiceClient({ base_url: address, token, fetch: parts.fetch }).call('whoAmI', {})
  if (me.person_id !== person_id) throw new AppError('conflict', 'This key is somebody else’s.')
  if (problemsOfCaller(me).length > 0) throw new AppError('conflict', 'Nothing can be moved with this key.')
}

function put({ migration, change, settingsRepository, onChanged }: Parts, action: string, patch: Partial<Migration>): void {
  const { therapist_id } = settingsRepository.get()
  change([], ({ at, audit }) => {
    migration.put({ ...patch, changed_at: at })
    audit({ action, subject_id: therapist_id })
  })
  onChanged()
}

async function confirm(parts: Parts, leaving: boolean): Promise<void> {
  const { migration, migrator, serviceKeys } = parts
  const { address } = required(parts, 'checked', 'sending')
  // Delete an older key for this address: after a crash during the switch, the next start would keep it instead of the new key.
  if (address !== null) await serviceKeys.forgetAt('service', address)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    required(parts, 'checked', 'sending')
    const waiting = await migrator.caughtUp()
    if (waiting !== null) throw new AppError(whyNot[waiting.reason])
    // No await from here to the switch, so no record can change.
    const now = required(parts, 'checked', 'sending')
    if (now.phase !== 'checked' || migration.toUpload('new').length > 0 || migration.toCompare().length > 0) continue
    if (migration.counts().differing > 0 && !leaving)
      throw new AppError('conflict', 'Some records are not there as they are here.')
    return parts.switchNow(now)
  }
  throw new AppError('still-running', 'Records are being changed all the time. Try again in a moment.')
}

async function look(parts: Parts): Promise<MovingState> {
  const { migration, clock, settingsRepository } = parts
  const { address, therapist_before } = required(parts, 'looked')
  const { therapist_id, service_address } = settingsRepository.get()
  const client = parts.to()
  const { look: found, me, hasCoverage } = await previewTarget(client, { db: parts.db, clock, toPractice: address !== null })
  const person_id = address === null ? (therapist_before ?? therapist_id) : (me?.person_id ?? null)
  const hours = person_id !== null && address !== null && (await hasHours(client, person_id)) ? [hoursStay] : []
  const isBlocked = found.problems.some(({ blocking }) => blocking)
  const source = { client: parts.connection(), isEmbedded: service_address === null }
  const stay = !isBlocked && !hasCoverage && (await authorizationsOf(source)).length > 0 ? [authorisationsStay] : []
  // A migration back finds the old records in the embedded service, so `sent-before` is expected.
  const known = address === null ? found.problems.filter(({ code }) => code !== 'sent-before') : found.problems
  const full: MovingLook = { ...found, problems: [...known, ...hours, ...stay] }
  if (migration.get()?.person_id !== person_id) migration.forgetRecords()
  put(parts, 'moving.looked', { look: full, person_id, is_owner: me?.roles.includes('owner') ?? false, therapist_id })
  return stateOf(parts)
}

const authorisationsStay = { code: 'authorisations-stay', blocking: false } as const
const hoursStay = { code: 'hours-kept', blocking: false } as const

async function beginAt({ migration, clock, settingsRepository, serviceKeys }: Parts, address: string | null): Promise<void> {
  const before = migration.get()
  const { service_address, therapist_id } = settingsRepository.get()
  if (address === service_address) throw new AppError('conflict', 'The records are there already.')
  if (before !== null && (before.phase === 'sending' || before.phase === 'checked'))
    throw new AppError('conflict', 'A move is under way. Undo it first.')
  if (before !== null && (before.address !== address || before.phase === 'confirmed')) {
    migration.forgetRecords()
    await forgetKey(serviceKeys)
  }
  const fresh = before?.address === address ? {} : { person_id: null }
  migration.put({ phase: 'looked', address, therapist_id, look: null, again: 'new', ...fresh, changed_at: timestamp(clock) })
}

async function forgetKey(keys: ServiceKeys): Promise<void> {
  if (keys.get('moving') !== null) await keys.set('moving', null)
}

export function isCopyAlone({ address, phase }: Migration, service_address: string | null): boolean {
  return service_address !== null && !(address === null && (phase === 'sending' || phase === 'checked'))
}

function required({ migration }: Pick<Parts, 'migration'>, ...phases: readonly Migration['phase'][]): Migration {
  const now = migration.get()
  if (now === null || !phases.includes(now.phase)) throw new AppError('conflict', 'The move is not at that step.')
  return now
}

type Shown = Pick<Parts, 'migration' | 'migrator' | 'serviceKeys'>

export function stateOf({ migration, migrator, serviceKeys }: Shown): MovingState {
  const now = migration.get()
  const { differing, ...counts } = now === null || now.phase === 'confirmed' ? nothing : migration.counts()
  return {
    phase: now?.phase ?? 'none',
    address: now?.address ?? null,
    has_key: serviceKeys.get('moving') !== null,
    look: now?.look ?? null,
    ...counts,
    waiting: now?.phase === 'sending' || now?.phase === 'checked' ? migrator.waiting : null,
    differences: differing === 0 ? [] : migration.differences(MAX_LISTED),
    differing,
    old_store: now?.old_store ?? 'in_use',
  }
}
