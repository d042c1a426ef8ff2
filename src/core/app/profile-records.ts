import type { Emit } from '#contract/bridge/events.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { type Network, unknownNetwork } from '#base/metered-network.ts'
import { type Audit, createAudit } from '#core/audit/audit.ts'
import { createMigrationRepository, type MigrationRepository } from '#core/service-migration/migration-repository.ts'
import { createChange, type MakeChange } from '#core/records/change.ts'
import { createRepositories, type Repositories } from '#core/records/repositories.ts'
import { openDraftModels } from '#core/settings/draft-models.ts'
import { type KeyName, openServiceKeys, type ServiceKeys } from '#core/settings/service-keys.ts'
import { readSettings } from '#core/settings/settings-handlers.ts'
import { createSettingsRepository, type SettingsRepository } from '#core/settings/settings-repository.ts'
import { openSignInDesk } from '#core/sign-in/sign-in-desk.ts'
import { createOutbox, type Outbox } from '#core/outbox/outbox.ts'
import { databaseCopies } from '#core/vault/open-records.ts'
import type { OpenVault } from '#core/vault/vault.ts'
import type { CorePorts } from './core-ports.ts'

export interface Records extends Repositories {
  readonly db: Sqlite
  readonly settingsRepository: SettingsRepository
  readonly migration: MigrationRepository
  readonly serviceKeys: ServiceKeys
  readonly settings: () => Settings
  readonly draftModels: ReturnType<typeof openDraftModels>
  readonly signIns: ReturnType<typeof openSignInDesk>
  readonly audit: Audit
  readonly outbox: Outbox
  readonly change: MakeChange
  readonly network: Network
  readonly databaseCopies: () => readonly string[]
  readonly clock: Clock
  readonly log: Log
  readonly emit: Emit
}

export async function openRecords(ports: CorePorts, vault: OpenVault, emit: Emit): Promise<Records> {
  const { clock, log } = ports
  const { db } = vault
  const settingsRepository = createSettingsRepository(db)
  const migration = createMigrationRepository(db)
  const addressOf = (name: KeyName): string | null =>
    name === 'moving' ? (migration.get()?.address ?? null) : settingsRepository.get()[`${name}_address`]
  const serviceKeys = await openServiceKeys(ports.keychain, vault.profile_id, log, addressOf)
  const settings = (): Settings => readSettings(settingsRepository, serviceKeys)
  const audit = createAudit(db, clock)
  const outbox = createOutbox(db, clock)
  const change = createChange({ db, clock, audit, outbox, emit })
  // A crash during the first start may have left the id unset.
  if (settings().therapist_id === '') settingsRepository.put({ therapist_id: newId(clock) })
  const draftModels = openDraftModels(ports.folder, ports.resources, ports.is_packaged === true)
  return {
    ...createRepositories(db),
    db,
    settingsRepository,
    migration,
    serviceKeys,
    settings,
    draftModels,
    network: ports.network ?? unknownNetwork,
    databaseCopies: () => databaseCopies(ports.folder, vault.keys),
    signIns: openSignInDesk({ clock, fetch: ports.fetch }),
    audit,
    outbox,
    change,
    clock,
    log,
    emit,
  }
}
