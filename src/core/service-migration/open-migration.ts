import { rmSync } from 'node:fs'
import { timestamp, waitInTime } from '#base/clock.ts'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import type { DayQuota } from '#client/limits.ts'
import type { ServiceKeys } from '#core/settings/service-keys.ts'
import { readSettings } from '#core/settings/settings-handlers.ts'
import type { SignInDesk } from '#core/sign-in/sign-in-desk.ts'
import type { Capabilities } from '#core/sync/capabilities/capabilities.ts'
import type { StoredIntent } from '#core/outbox/intents.ts'
import { createServiceConnection } from '#core/sync/service-connection.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import { errorKind } from '#base/log.ts'
import { createKeyRotation } from './key-rotation.ts'
import { OWN_SHARE } from './preview.ts'
import { Migrator } from './migrator.ts'
import { isCopyAlone, migrationHandlers, stateOf } from './migration-handlers.ts'
import type { Migration, MigrationRepository } from './migration-repository.ts'
import type { Source } from './service-records.ts'
import { type SwitchParts, switchOver } from './switch-over.ts'
import type { RecordParts } from '#core/records/repositories.ts'

interface Parts extends SwitchParts, Pick<RecordParts, 'log' | 'emit' | 'audit'> {
  readonly fetch: typeof fetch
  readonly closing: AbortSignal
  readonly serviceKeys: ServiceKeys
  readonly signIns: SignInDesk
  readonly capabilities: Capabilities
  readonly connection: () => ServiceClient
  readonly embedded: () => ServiceClient
  readonly wait?: SyncPorts['wait'] | undefined
  readonly onConnectionChanged: () => void
  readonly beforeLook: () => void
}

const NOTIFY_INTERVAL_MS = 500

export function openMigration(parts: Parts) {
  const { migration, emit, clock, outbox, serviceKeys, wait = waitInTime } = parts
  const target = connectTarget(parts)
  const isMigrating = (): boolean => ['sending', 'checked'].includes(migration.get()?.phase ?? '')
  const watch = outbox.onChangeWhile(isMigrating, (isNew) => isNew && migrator.wake())
  const onChanged = (): void => {
    watch()
    emit('moving.changed', stateOf({ ...parts, migrator }))
  }
  let notifiedAt = Number.NEGATIVE_INFINITY
  const onProgress = (): void => {
    if (clock.elapsed() - notifiedAt < NOTIFY_INTERVAL_MS) return
    notifiedAt = clock.elapsed()
    onChanged()
  }
  const isEmbedded = (): boolean => parts.settingsRepository.get().service_address === null
  const source = (): Source => ({ client: parts.connection(), isEmbedded: isEmbedded() })
  const migrator = new Migrator({ ...parts, ...target, own: parts, source, wait, onProgress, onChanged })
  const keyRotation = createKeyRotation({
    ...parts,
    keys: serviceKeys,
    wait,
    canRotate: async (signal) => {
      if (isEmbedded()) return false
      const offers = await parts.capabilities.now(signal)
      return offers.has('me') && offers.has('api_keys')
    },
    address: () => parts.settingsRepository.get().service_address,
    clientWith: (base_url, token) => createServiceClient({ base_url, token, fetch: parts.fetch }),
    onChanged(isOther) {
      if (isOther) parts.onConnectionChanged()
      onChanged()
    },
  })
  const switchNow = async (now: Migration): Promise<void> => {
    for (const intent of switchOver(parts, now)) abandon(parts, intent)
    await adoptKey(parts, false)
    emit('settings.changed', readSettings(parts.settingsRepository, serviceKeys))
    parts.onConnectionChanged()
    onChanged()
  }
  const handlers = migrationHandlers({ ...parts, ...target, migrator, switchNow, keyState: () => keyRotation.state(), onChanged })
  return {
    handlers,
    isMigrating,
    start(): void {
      watch()
      void adoptKey(parts, true).then(keyRotation.start)
      migrator.start()
    },
    connectionChanged(): void {
      void adoptKey(parts, true)
      migrator.wake()
      keyRotation.wake()
    },
    async stop(): Promise<void> {
      await Promise.all([migrator.stop(), keyRotation.stop()])
    },
  }
}

/**
 * After the switch, moves the key from the migration's keychain entry to the service's. If `isStart`, a key that is
 * already there is kept, because it may be newer.
 */
async function adoptKey({ serviceKeys: keys, migration, settingsRepository, log }: Parts, isStart: boolean): Promise<void> {
  const address = migration.get()?.address ?? null
  const key = keys.get('moving')
  if (key === null || address === null || address !== settingsRepository.get().service_address) return
  try {
    if (!isStart || !keys.holds('service')) await keys.set('service', key)
    await keys.set('moving', null)
  } catch (error) {
    log.warn('moving.key-not-taken', { kind: errorKind(error) })
  }
}

function abandon({ embedded, log }: Parts, { operation_id }: StoredIntent): void {
  if (operation_id === null) return
  const cancelling = embedded().call('cancelOperation', { params: { id: operation_id } })
  cancelling.catch((error: unknown) => log.warn('moving.not-cancelled', { kind: errorKind(error) }))
}

function connectTarget({ serviceKeys: keys, migration, ...parts }: Parts) {
  const { clock } = parts
  let quota: { until: number; left: number; limit: number } | null = null
  const onQuota = ({ limit, remaining, resetSeconds }: DayQuota): void => {
    if (limit === null || resetSeconds === null) return
    quota = { limit, left: remaining, until: clock.now() + resetSeconds * 1000 }
  }
  const address = (): string | null => migration.get()?.address ?? null
  return {
    to: createServiceConnection({ ...parts, name: 'moving', address, keys, onQuota }),
    /** When the quota resets (ms since 1970) if this app's share of it is used up; null otherwise. */
    quotaUntil(): number | null {
      if (quota === null || quota.until <= clock.now()) return null
      return quota.left <= quota.limit - Math.floor(quota.limit * OWN_SHARE) ? quota.until : null
    },
  }
}

export function eraseOldStore(
  migration: MigrationRepository,
  file: string,
  { clock, service_address }: { readonly clock: Parts['clock']; readonly service_address: string | null },
): void {
  const now = migration.get()
  if (now?.old_store !== 'erasing' || !isCopyAlone(now, service_address)) return
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  if (now.address === null) migration.forgetRecords()
  migration.put({ old_store: 'erased', changed_at: timestamp(clock) })
}
