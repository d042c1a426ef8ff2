import { join } from 'node:path'
import type { Emit } from '#contract/bridge/events.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { Session } from '#contract/model/session.ts'
import { ownTemplateId } from '#contract/model/template.ts'
import { timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { type Network, unknownNetwork } from '#base/metered-network.ts'
import { createAudit } from '#core/audit/audit.ts'
import type { ExportPorts } from '#core/export/exports.ts'
import { createOutbox } from '#core/outbox/outbox.ts'
import type { ServiceClient } from '#client/client.ts'
import { recordingRepository } from '#core/recordings/recording-repository.ts'
import { createRecordings, type Recordings } from '#core/recordings/recordings.ts'
import { createChange, existing } from '#core/records/change.ts'
import { type AudioRetention, createAudioRetention } from '#core/records/consent/audio-retention.ts'
import { createDictations, type Dictations } from '#core/records/dictations/dictations.ts'
import { isReady } from '#core/records/models/model-handlers.ts'
import { createRepositories, type Repositories, type RecordParts } from '#core/records/repositories.ts'
import type { RecordedSessions } from '#core/records/sessions/recorded-sessions.ts'
import type { Inventory } from '#core/recovery/inventory.ts'
import { createMigrationRepository, type MigrationRepository } from '#core/service-migration/migration-repository.ts'
import { openDraftModels } from '#core/settings/draft-models.ts'
import { type KeyName, openServiceKeys, type ServiceKeys } from '#core/settings/service-keys.ts'
import { readSettings } from '#core/settings/settings-handlers.ts'
import { createSettingsRepository, type SettingsRepository } from '#core/settings/settings-repository.ts'
import { openSignInDesk } from '#core/sign-in/sign-in-desk.ts'
import { databaseCopies } from '#core/vault/open-records.ts'
import type { OpenVault } from '#core/vault/vault.ts'
import type { CorePorts, EmbeddedService } from './open-core.ts'

export interface Records extends RecordParts {
  readonly settingsRepository: SettingsRepository
  readonly migration: MigrationRepository
  readonly retention: AudioRetention
  readonly serviceKeys: ServiceKeys
  readonly draftModels: ReturnType<typeof openDraftModels>
  readonly signIns: ReturnType<typeof openSignInDesk>
  readonly network: Network
  readonly folder: string
  readonly databaseCopies: () => readonly string[]
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
  if (settings().therapist_id === '') settingsRepository.put({ therapist_id: newId(clock) })
  const draftModels = openDraftModels(ports.folder, ports.resources, ports.is_packaged === true)
  const { isRemote } = settingsRepository
  const repositories = createRepositories(db)
  const address = (): string | null => settings().service_address
  return {
    ...repositories,
    retention: createAudioRetention({ ...repositories, db, outbox, isRemote, address }),
    db,
    settingsRepository,
    migration,
    serviceKeys,
    settings,
    locale: () => settings().locale ?? ports.system_locale,
    isRemote,
    draftModels,
    network: ports.network ?? unknownNetwork,
    folder: ports.folder,
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

interface RecordingParts
  extends
    Pick<Records, 'sessions' | 'clients' | 'consentService' | 'audit' | 'emit' | 'settings' | 'retention'>,
    RecordedSessions {
  readonly inventory: Pick<Inventory, 'listedRecording'>
}

export function openRecordings(ports: CorePorts, vault: OpenVault, parts: RecordingParts): Recordings {
  const { sessions, clients, consentService, audit, emit, settings, retention, onStarted, onFinished, inventory } = parts
  const sessionOf = (id: string): Session => existing(sessions.find(id))
  return createRecordings({
    db: vault.db,
    keys: vault.keys,
    clock: ports.clock,
    log: ports.log,
    folder: join(ports.folder, 'recordings'),
    append: ports.append,
    emit,
    gate: (sessionId) => consentService.gate(sessionId),
    clientName: (sessionId) => clients.find(sessionOf(sessionId).client_id)?.display_name ?? '',
    sessionStart: (sessionId) => sessionOf(sessionId).starts_at,
    therapist: () => settings().therapist_name,
    retention,
    listed: inventory.listedRecording,
    onStarted,
    onFinished,
    audit: (entry) => audit.append(entry),
  })
}

interface DictationParts {
  readonly recordings: Recordings
  readonly service: EmbeddedService
  readonly embedded: () => ServiceClient
  readonly closing: AbortSignal
}

export function openDictations(ports: CorePorts, vault: OpenVault, records: Records, parts: DictationParts): Dictations {
  const { active } = recordingRepository(vault.db)
  return createDictations({
    ...records,
    keys: vault.keys,
    folder: join(ports.folder, 'dictations'),
    append: ports.append,
    isRecording: () => active() !== null,
    isReady: () => isReady(parts.embedded()),
    hear: parts.service.hear,
    closing: parts.closing,
    after: parts.recordings.ready,
  })
}

export function stopWhereUnconsented(
  recordings: Recordings,
  { sessions, consentService }: Repositories,
): (clientId: string) => Promise<void> {
  return async (clientId) => {
    for (const sessionId of await recordings.writableSessions()) {
      if (sessions.find(sessionId)?.client_id !== clientId || consentService.allows(sessionId, 'record')) continue
      await recordings.stopSession(sessionId)
    }
  }
}

type ExportParts = Repositories & Pick<RecordParts, 'settings' | 'locale' | 'clock'>

export function exportSources(parts: ExportParts): Pick<ExportPorts, 'note' | 'transcript'> {
  const { clients, sessions, transcripts, notes, templates, settings, locale, clock } = parts
  return {
    async note(id) {
      const note = existing(notes.find(id))
      const own = ownTemplateId(note.template)
      return {
        note,
        form_name: own === null ? null : (templates.find(own)?.name ?? null),
        client: existing(clients.find(note.client_id)),
        record_number: clients.recordNumber(note.client_id),
        session: sessions.find(note.session_id),
        billing: sessions.billing(note.session_id),
        settings: settings(),
        locale: locale(),
        exported_at: timestamp(clock),
      }
    },
    async transcript(sessionId) {
      return { transcript: existing(transcripts.ofSession(sessionId)), session: sessions.find(sessionId) }
    },
  }
}
