import { join } from 'node:path'
import type { Emit } from '#contract/bridge/events.ts'
import { exportPath, recordingPath } from '#contract/bridge/library.ts'
import type { Handlers, MethodName } from '#contract/bridge/methods.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import { AppError } from '#contract/errors.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import { restoreLater, restoreRenamed } from '#base/stray-database.ts'
import type { ReadOut } from '#base/read-out.ts'
import { isNew } from '#base/rebuild-database.ts'
import { createServiceClient } from '#client/client.ts'
import { unlessAborted } from '#client/patience.ts'
import { createExports } from '#core/export/exports.ts'
import { recordingMedia } from '#core/recordings/media.ts'
import { recordingRepository } from '#core/recordings/recording-repository.ts'
import type { Recordings } from '#core/recordings/recordings.ts'
import { createTakeBackWork } from '#core/records/consent/consent-service.ts'
import { createModels, watchSpeech } from '#core/records/models/model-handlers.ts'
import { createSample } from '#core/records/sample/sample.ts'
import { createRecordedSessions } from '#core/records/sessions/recorded-sessions.ts'
import { createTranscriptRequests } from '#core/records/transcripts/transcript-handlers.ts'
import { createDamageWatch, type DamageWatch } from '#core/recovery/damage-watch.ts'
import { type Inventory, openInventory } from '#core/recovery/inventory.ts'
import { reportLostService, reportSetAside } from '#core/recovery/set-aside-report.ts'
import { eraseOldStore, openMigration } from '#core/service-migration/open-migration.ts'
import { draftWriter } from '#core/settings/draft-models.ts'
import { settingsHandlers } from '#core/settings/settings-handlers.ts'
import { openOffers } from '#core/sync/capabilities/open-offers.ts'
import { pushEverythingAgain } from '#core/sync/push-again.ts'
import { createServiceConnection, embeddedAddress } from '#core/sync/service-connection.ts'
import type { Sync } from '#core/sync/sync.ts'
import { vaultDatabase } from '#core/vault/profile-files.ts'
import type { OpenVault } from '#core/vault/vault.ts'
import type { CorePorts, EmbeddedService } from './open-core.ts'
import { exportSources, openDictations, openRecordings, openRecords, stopWhereUnconsented } from './profile-records.ts'
import type { Records } from './profile-records.ts'
import { recordHandlers } from './profile-handlers.ts'
import { openSyncing, type Syncing } from './profile-syncing.ts'

export type GateMethods =
  | 'app.state'
  | 'app.copied'
  | 'app.handedOver'
  | 'app.selfTested'
  | Extract<MethodName, `vault.${string}`>
export type ProfileMethods = Exclude<MethodName, GateMethods | 'recordings.append'>

export type Profile = Awaited<ReturnType<typeof openProfile>>

export async function openProfile(given: CorePorts, vault: OpenVault, announce: Emit) {
  const closing = new AbortController()
  const ports = { ...given, fetch: untilClosed(given.fetch, closing.signal) }
  const inventory = openInventory({ ...ports, vault, emit: announce })
  const records = await openRecords(ports, vault, inventory.emit)
  const kept = recordingRepository(vault.db)
  const reaching = connect(ports, records, {
    service: (request) => service.fetch(request),
    closing: closing.signal,
    onQuota: (quota) => sync.onQuota(quota),
  })
  const offers = openOffers({ ...records, ...reaching })
  const speech = watchSpeech({ ...records, ...reaching, onRefreshed: () => requests.startWaiting(speech.isSpeechReady()) })
  const onConnectionChanged = (): void => connectionChanged({ sync, offers, pull, speech, serviceMigration })
  const models = createModels({ ...records, ...offers, onModelsChanged: onConnectionChanged })
  const abandon: Sync['abandon'] = (intentId, operationId) => sync.abandon(intentId, operationId)
  const requests = createTranscriptRequests({ ...records, abandon, recordingOf: (sessionId) => kept.ofSession(sessionId) })
  const takeBackWork = createTakeBackWork({ ...records, abandon })
  const recorded = createRecordedSessions({ ...records, requests, ...speech })
  const recordings = openRecordings(ports, vault, { ...records, ...recorded, inventory })
  const service = await openEmbedded(ports, vault, { ...records, serviceRepaired: inventory.serviceRepaired }, recordings)
  const dictations = openDictations(ports, vault, records, { service, recordings, ...reaching })
  const guards = { takeBackWork, stopUnconsented: stopWhereUnconsented(recordings, records) }
  const working = { offers, audio: recordings.audio, embedded: reaching.embedded, ...guards }
  const { merge, sync, pull, comparison }: Syncing = openSyncing(ports, records, {
    ...working,
    inventory: { ...inventory, compared: deletingAudio(records, recordings, inventory, service.watch) },
  })
  const sample = createSample({ ...records, resources: ports.resources, recordings })
  const serviceMigration = openMigration({ ...records, ...offers, ...reaching, onConnectionChanged, beforeLook: sample.remove })
  const exports = createExports({ ...ports, ...exportSources(records) })
  const changes = { onConnectionChanged, onOtherService: otherService(records, sample) }

  const handlers: Handlers<ProfileMethods> = {
    ...recordHandlers(records, { guards, recordings, dictations, kept, requests, speech, merge, abandon, offers, exports }),
    ...settingsHandlers({ ...records, ...reaching, ...serviceMigration, ...changes }),
    ...models.handlers,
    ...sample.handlers,
    ...serviceMigration.handlers,
    ...sync.handlers,
    'recovery.state': () => ({ needs_repair: service.watch.needsRepair(), is_not_compared: comparison.isFailing() }),
  }
  const loops = [comparison, sync, pull, serviceMigration, recordings.verification]
  await dictations.ready.then(comparison.atOpening).catch((error: unknown) => giveUp(service, error))
  for (const loop of loops) loop.start()
  const others = [speech, offers.capabilities, dictations]
  offers.lookAtKept()
  void models.start().then(() => speech.lookAgain())
  return {
    handlers,
    auditAccess: (action: string, outcome: string) => records.audit.append({ action, subject_id: vault.profile_id, outcome }),
    lastAccess: records.audit.lastDone,
    suspectDamage: service.watch.suspect,
    media: serveMedia(recordingMedia(recordings.audio), exports.serve),
    /** Call before `close`: stops the loops and aborts remote requests. */
    beginClose: () => cutOff({ ...records, service, closing, loops }),
    close: () => closeAll({ models, loops: [...others, ...loops], exports, service, inventory, vault }),
  }
}

interface Connected {
  readonly sync: { connectionChanged(): void }
  readonly offers: { lookAtKept(): void }
  readonly pull: { wake(): void }
  readonly speech: { lookAgain(): void }
  readonly serviceMigration: { connectionChanged(): void }
}

function connectionChanged({ sync, offers, pull, speech, serviceMigration }: Connected): void {
  sync.connectionChanged()
  offers.lookAtKept()
  pull.wake()
  speech.lookAgain()
  serviceMigration.connectionChanged()
}

/** A practice's service never gets the sample. */
const otherService = (records: Records, sample: { remove(): void }) => (): void => {
  sample.remove()
  pushEverythingAgain(records)
}

/** @returns what to call after a comparison has finished */
function deletingAudio({ outbox, retention }: Records, recordings: Recordings, inventory: Inventory, watch: DamageWatch) {
  const deleteAudio = (): void => void (watch.needsRepair() || recordings.deleteDue())
  outbox.onChange(deleteAudio)
  return (): void => {
    inventory.compared()
    retention.checked()
    deleteAudio()
  }
}

interface ToClose extends Pick<CutOff, 'service' | 'loops'> {
  readonly models: { stop(): Promise<void> }
  readonly exports: { clear(): void }
  readonly inventory: Inventory
  readonly vault: OpenVault
}

async function closeAll({ models, loops, exports, service, inventory, vault }: ToClose): Promise<void> {
  await models.stop()
  await Promise.all(loops.map((loop) => loop.stop()))
  exports.clear()
  await service.close()
  inventory.close()
  vault.close()
}

interface CutOff extends Pick<Records, 'signIns'> {
  readonly service: EmbeddedService
  readonly closing: AbortController
  readonly loops: readonly { stop(): Promise<void> }[]
}

function cutOff({ signIns, service, closing, loops }: CutOff): void {
  signIns.close()
  // Stop the loops before aborting requests, or they would count the abort as a failed request.
  for (const loop of loops) void loop.stop()
  closing.abort(new AppError('cancelled', 'The records are being closed.'))
  service.beginClose()
}

async function giveUp(service: EmbeddedService, error: unknown): Promise<never> {
  await service.close()
  throw error
}

interface Connecting {
  readonly service: EmbeddedService['fetch']
  readonly closing: AbortSignal
  readonly onQuota: Sync['onQuota']
}

function connect(
  { fetch, clock, timer, wait_for_days: wait }: CorePorts,
  { settings, serviceKeys: keys }: Records,
  { service, closing, onQuota }: Connecting,
) {
  const client = createServiceClient({ base_url: embeddedAddress, fetch: service, timer: null })
  const remote = { keys, embedded: () => client, fetch, clock, closing }
  const address = (): string | null => settings().service_address
  const connection = createServiceConnection({ ...remote, name: 'service', address, timer, onQuota })
  return { connection, embedded: remote.embedded, fetch, closing, wait }
}

async function openEmbedded(
  ports: CorePorts,
  vault: OpenVault,
  records: Records & Pick<Inventory, 'serviceRepaired'>,
  recordings: Recordings,
): Promise<WatchedService> {
  const file = join(ports.folder, 'service.db')
  eraseOldStore(records.migration, file, { clock: ports.clock, service_address: records.settings().service_address })
  const key = vault.keys.derive('service.db')
  let repaired: ReadOut | null = null
  try {
    if (records.migration.get()?.old_store !== 'erased') {
      restoreRenamed({ path: file, key, clock: ports.clock, position: 'select max(seq) from changes', isKeyProven: () => true })
      restoreLater({ path: file, key, clock: ports.clock, grows: 'audit_events' })
    }
    // Report a lost service database before it is recreated, so that a crash in between does not hide the loss.
    const isLost = isNew(file) && records.settings().service_address === null
    if (isLost && reportLostService(records)) ports.log.warn('service.store-lost')
    const service = await ports.openService({
      file,
      key,
      onRepaired(found) {
        repaired = found
        records.serviceRepaired(found)
      },
      audio: recordings.audio,
      speech: () => speechServer(records.settings(), records.serviceKeys.get('speech')),
      language: () => draftWriter(records.settings(), records.serviceKeys.get('language'), records.draftModels),
    })
    return watched(ports, vault, records, { service, file, repaired })
  } finally {
    key.fill(0)
  }
}

type WatchedService = EmbeddedService & { readonly watch: DamageWatch }

interface Opened {
  readonly service: EmbeddedService
  readonly file: string
  readonly repaired: ReadOut | null
}

async function watched(ports: CorePorts, vault: OpenVault, { log, emit }: Records, opened: Opened): Promise<WatchedService> {
  const { service, file, repaired } = opened
  try {
    reportSetAside(vault.db, ports.clock, { vault: vaultDatabase(ports.folder), service: file }, repaired)
  } catch (error) {
    return giveUp(service, error)
  }
  const watch = createDamageWatch({
    vault: { path: vaultDatabase(ports.folder), db: vault.db },
    service: { path: file, key: () => vault.keys.derive('service.db') },
    log,
    emit,
  })
  watch.start()
  return {
    watch,
    hear: service.hear,
    fetch: async (request) => {
      const response = await service.fetch(request)
      if (response.status === 500) watch.suspect()
      return response
    },
    beginClose: () => service.beginClose(),
    async close() {
      await watch.stop()
      await service.close()
    },
  }
}

type Serve = (request: Request) => Promise<Response>

const serveMedia =
  (playback: Serve, exported: Serve): Serve =>
  async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(recordingPath(''))) return playback(request)
    if (pathname.startsWith(exportPath(''))) return exported(request)
    return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } })
  }

function speechServer(settings: Settings, key: string | null): SpeechSettings | null {
  const { speech_address: address, speech_model: model, speech_engine: engine, language } = settings
  if (engine === 'server' && address !== null) return { engine, address, model, key, language }
  return { engine: engine === 'local' ? engine : 'none', address: '', model: null, key: null, language }
}

/** Aborts remote requests and their bodies when the vault closes, whatever signal the caller passes. */
const untilClosed =
  (fetch: typeof globalThis.fetch, closing: AbortSignal): typeof globalThis.fetch =>
  (asked, init) => {
    const given = init?.signal ?? (asked instanceof Request ? asked.signal : null)
    const signal = given === null ? closing : AbortSignal.any([given, closing])
    const asking = asked instanceof Request ? fetch(new Request(asked, { ...init, signal })) : fetch(asked, { ...init, signal })
    return unlessAborted(asking, signal, ({ body }) => void body?.cancel().catch(() => {}))
  }
