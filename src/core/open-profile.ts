import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Emit } from '#contract/bridge/events.ts'
import { exportPath, recordingPath } from '#contract/bridge/media.ts'
import type { Handlers, MethodName } from '#contract/bridge/methods.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import { newId } from '#base/ids.ts'
import { createServiceClient } from '#client/client.ts'
import { type Audit, createAudit } from '#core/audit/audit.ts'
import { clientHandlers } from '#core/clients/client-handlers.ts'
import { consentHandlers } from '#core/consent/consent-handlers.ts'
import { createTakeBackWork } from '#core/consent/take-back-work.ts'
import { createExports } from '#core/export/exports.ts'
import { coverageHandlers } from '#core/insurance/coverage-handlers.ts'
import { figureHandlers } from '#core/figures/figure-handlers.ts'
import { createKeptAnswers } from '#core/records/kept-answers.ts'
import { createModels } from '#core/models/model-handlers.ts'
import { watchSpeech } from '#core/models/watch-speech.ts'
import { createMovingRepository } from '#core/moving/moving-repository.ts'
import { eraseOldStore, openMoving } from '#core/moving/open-moving.ts'
import { noteHandlers } from '#core/notes/note-handlers.ts'
import { createDraftRequests } from '#core/notes/request-draft.ts'
import { createBriefOf } from '#core/insights/client-brief.ts'
import { insightHandlers } from '#core/insights/insight-handlers.ts'
import { createChange } from '#core/records/change.ts'
import { createRepositories } from '#core/records/repositories.ts'
import { recordingMedia } from '#core/recordings/media.ts'
import { recordingRepository } from '#core/recordings/recording-repository.ts'
import type { Recordings } from '#core/recordings/recordings.ts'
import { scheduleHandlers } from '#core/schedule/schedule-handlers.ts'
import { searchHandlers } from '#core/search/search.ts'
import { createRecordedSessions } from '#core/sessions/recorded-sessions.ts'
import { sessionHandlers } from '#core/sessions/session-handlers.ts'
import { createSessionRows } from '#core/sessions/session-rows.ts'
import { draftWriter } from '#core/settings/draft-writer.ts'
import { openDraftModels } from '#core/settings/draft-models.ts'
import { type KeyName, openServiceKeys } from '#core/settings/service-keys.ts'
import { readSettings, settingsHandlers } from '#core/settings/settings-handlers.ts'
import { createSettingsRepository } from '#core/settings/settings-repository.ts'
import { type Offering, openOffers } from '#core/sync/capabilities/open-offers.ts'
import { createOutbox } from '#core/sync/outbox.ts'
import { conflictHandlers } from '#core/sync/merge/conflict-handlers.ts'
import { createMerge, type Merge } from '#core/sync/merge/merge.ts'
import { openPull } from '#core/sync/pull/open-pull.ts'
import { documentSenders } from '#core/sync/send-documents.ts'
import { plainWorkSenders } from '#core/sync/plain/work-senders.ts'
import { recordSenders } from '#core/sync/send-records.ts'
import { workSenders } from '#core/sync/send-work.ts'
import { openSignInDesk } from '#core/sign-in/sign-in-desk.ts'
import { createServiceConnection, embeddedAddress } from '#core/sync/service-connection.ts'
import { createResults } from '#core/sync/store-results.ts'
import { createSync, type Sync } from '#core/sync/sync.ts'
import { tellEverythingAgain } from '#core/sync/tell-again.ts'
import { templateHandlers } from '#core/templates/template-handlers.ts'
import { createTranscriptRequests } from '#core/transcripts/request-transcript.ts'
import { transcriptHandlers } from '#core/transcripts/transcript-handlers.ts'
import { voiceHandlers } from '#core/voices/voice-handlers.ts'
import type { OpenVault } from '#core/vault/vault.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import type { CorePorts, EmbeddedService } from './core-ports.ts'
import { exportSources } from './export-sources.ts'
import { openRecordings, stopWhereUnconsented } from './profile-recordings.ts'

export type GateMethods = 'app.state' | Extract<MethodName, `vault.${string}`>
export type ProfileMethods = Exclude<MethodName, GateMethods | 'recordings.append'>

/** The app with its records open. */
export interface Profile {
  readonly handlers: Handlers<ProfileMethods>
  /** Of the ways in to these records. @param outcome as in `AuditEntry` */
  auditAccess(action: string, outcome: string): void
  lastAccess: Audit['lastDone']
  media(request: Request): Promise<Response>
  /** Before it closes: what is under way and would take long gives up. */
  beginClose(): void
  /** Stops sending, closes the service and the vault, and with them every key. */
  close(): Promise<void>
}

/** What all handlers share: rows, the way to change them, and what is known about the therapist. */
async function openRecords(ports: CorePorts, vault: OpenVault, emit: Emit) {
  const { clock, log } = ports
  const { db } = vault
  const settingsRepository = createSettingsRepository(db)
  const moving = createMovingRepository(db)
  const addressOf = (name: KeyName): string | null =>
    name === 'moving' ? (moving.get()?.address ?? null) : settingsRepository.get()[`${name}_address`]
  const serviceKeys = await openServiceKeys(ports.keychain, vault.profile_id, log, addressOf)
  const settings = (): Settings => readSettings(settingsRepository, serviceKeys)
  const audit = createAudit(db, clock)
  const outbox = createOutbox(db, clock)
  const change = createChange({ db, clock, audit, outbox, emit })
  // Cut off right after the vault was made, its therapist is still to be given an id.
  if (settings().therapist_id === '') settingsRepository.put({ therapist_id: newId(clock) })
  const draftModels = openDraftModels(ports.folder, ports.resources)
  return {
    ...createRepositories(db),
    db,
    settingsRepository,
    moving,
    serviceKeys,
    settings,
    draftModels,
    signIns: openSignInDesk({ clock, fetch: ports.fetch }),
    audit,
    outbox,
    change,
    clock,
    log,
    emit,
  }
}
type Records = Awaited<ReturnType<typeof openRecords>>

export async function openProfile(ports: CorePorts, vault: OpenVault, emit: Emit): Promise<Profile> {
  const records = await openRecords(ports, vault, emit)
  const kept = recordingRepository(vault.db)
  const { connection, embedded } = connect(ports, records, (request) => service.fetch(request), (quota) => sync.onQuota(quota))
  const offers = openOffers({ ...records, connection })
  const { client } = offers
  const speech = watchSpeech({ ...records, embedded })
  const onConnectionChanged = (): void => {
    sync.connectionChanged()
    offers.lookAtKept()
    pull.wake()
    speech.lookAgain()
    house.lookAgain()
  }
  const models = createModels({ ...records, client, onModelsChanged: onConnectionChanged })
  const abandon: Sync['abandon'] = (intentId, operationId) => sync.abandon(intentId, operationId)
  const requests = createTranscriptRequests({ ...records, abandon, recordingOf: (sessionId) => kept.ofSession(sessionId) })
  const draftRequests = createDraftRequests({ ...records, abandon })
  const takeBackWork = createTakeBackWork({ ...records, abandon })
  const recordings = openRecordings(ports, vault, { ...records, ...createRecordedSessions({ ...records, requests, ...speech }) })
  const service = await openEmbedded(ports, vault, records, recordings)
  const stopUnconsented = stopWhereUnconsented(recordings, records)
  const isRemote = (): boolean => records.settings().service_address !== null
  const merge = createMerge({ ...records, isRemote, takeBackWork, stopUnconsented })
  const sync: Sync = openSync(ports, records, { offers, merge, isRemote, onPause: () => pull.wake() }, recordings.audio)
  const pull = openPull({ ...records, offers, merge, isPaused: () => sync.isPaused(), wait: ports.wait, random: ports.random })
  const keptAnswers = createKeptAnswers(records.db, ports.clock)
  const house = openMoving({
    ...records,
    ...offers,
    connection,
    embedded,
    fetch: ports.fetch,
    wait: ports.wait_for_days,
    onConnectionChanged,
  })
  const exports = createExports({ ...exportSources(records), clock: ports.clock, resources: ports.resources })

  const handlers: Handlers<ProfileMethods> = {
    ...peopleHandlers(records, { stopUnconsented, takeBackWork }),
    ...scheduleHandlers({ ...records, ...offers, therapistId: () => records.settings().therapist_id }),
    ...recordings.handlers,
    ...transcriptHandlers({ ...records, requests, recordingOf: (sessionId) => kept.ofSession(sessionId), ...speech }),
    ...templateHandlers(records),
    ...noteHandlers({ ...records, draftRequests }),
    ...insightHandlers({ ...records, briefOf: createBriefOf(records), abandon }),
    ...settingsHandlers({ ...records, fetch: ports.fetch, onConnectionChanged }),
    ...models.handlers,
    ...house.handlers,
    ...voiceHandlers({ ...records, client, kept, audio: recordings.audio }),
    ...searchHandlers(records.db, records.clients),
    ...sync.handlers,
    ...conflictHandlers({
      ...records,
      resolving: merge.parts,
      eraseRecording: (recording_id) => Promise.resolve(recordings.handlers['recordings.erase']({ recording_id })),
    }),
    ...offers.handlers,
    ...exports.handlers,
    ...figureHandlers({ ...records, client, keptAnswers, issue: exports.issue }),
    ...coverageHandlers({ ...records, ...offers, keptAnswers }),
  }
  await recordings.ready.catch((error: unknown) => giveUp(service, error))
  sync.start()
  pull.start()
  offers.lookAtKept()
  house.start()
  // In this order: what ends in between is seen by one of the two.
  void models.start().then(() => speech.lookAgain())
  return {
    handlers,
    auditAccess: (action, outcome) => records.audit.append({ action, subject_id: vault.profile_id, outcome }),
    lastAccess: (actions) => records.audit.lastDone(actions),
    media: serveMedia(recordingMedia(recordings.audio), exports.serve),
    beginClose: () => service.beginClose(),
    async close() {
      records.signIns.close()
      await models.stop()
      await Promise.all([speech.stop(), sync.stop(), pull.stop(), house.stop()])
      exports.clear()
      await service.close()
      vault.close()
    },
  }
}

type Guards = Pick<Parameters<typeof consentHandlers>[0], 'stopUnconsented' | 'takeBackWork'>

/** Clients, their consents and sessions. Who is no longer agreed with is not recorded on, and work on them ends. */
function peopleHandlers(records: Records, guards: Guards) {
  return {
    ...clientHandlers(records),
    ...consentHandlers({ ...records, ...guards }),
    ...sessionHandlers({
      ...records,
      ...guards,
      rows: createSessionRows(records.db, records.consents),
      therapistId: () => records.settings().therapist_id,
    }),
  }
}

async function giveUp(service: EmbeddedService, error: unknown): Promise<never> {
  await service.close()
  throw error
}

/** The service of the moment, and the one on this laptop. */
function connect(
  { fetch, clock }: CorePorts,
  { settings, serviceKeys: keys }: Records,
  embedded: EmbeddedService['fetch'],
  onQuota: Sync['onQuota'],
) {
  return {
    connection: createServiceConnection({ settings, keys, embedded, fetch, clock, onQuota }),
    embedded: () => createServiceClient({ base_url: embeddedAddress, fetch: embedded, timer: null }),
  }
}

async function openEmbedded(
  ports: CorePorts,
  vault: OpenVault,
  records: Records,
  recordings: Recordings,
): Promise<EmbeddedService> {
  const file = join(ports.folder, 'service.db')
  eraseOldStore(records.moving, file, ports.clock)
  // Before the store is made anew, so that a crash in between tells everything again as well.
  const isLost = !existsSync(file) && records.settings().service_address === null
  if (isLost && tellEverythingAgain(records)) ports.log.warn('service.store-lost')
  const key = vault.keys.derive('service.db')
  try {
    return await ports.openService({
      file,
      key,
      audio: recordings.audio,
      speech: () => speechServer(records.settings(), records.serviceKeys.get('speech')),
      language: () => draftWriter(records.settings(), records.serviceKeys.get('language'), records.draftModels),
    })
  } finally {
    key.fill(0)
  }
}

interface Syncing {
  readonly offers: Offering
  readonly merge: Merge
  readonly isRemote: () => boolean
  readonly onPause: () => void
}

function openSync(ports: CorePorts, records: Records, { offers, merge, isRemote, onPause }: Syncing, audio: Recordings['audio']): Sync {
  const results = createResults(records)
  const working = {
    ...records,
    ...offers,
    audio,
    results,
    language: () => records.settings().language,
    reduceNoise: () => records.settings().reduce_noise,
  }
  return createSync({
    ...records,
    results,
    senders: offers.senders(
      {
        ...recordSenders({ ...records, merge, bookingRefused: merge.bookingRefused }),
        ...documentSenders({ ...records, merge }),
        ...workSenders(working),
      },
      plainWorkSenders(working),
    ),
    client: () => offers.client(),
    isRemote,
    onPause,
    ...(ports.wait === undefined ? {} : { wait: ports.wait }),
    ...(ports.random === undefined ? {} : { random: ports.random }),
  })
}

type Serve = (request: Request) => Promise<Response>

function serveMedia(playback: Serve, exported: Serve): Serve {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(recordingPath(''))) return playback(request)
    if (pathname.startsWith(exportPath(''))) return exported(request)
    return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } })
  }
}

function speechServer(settings: Settings, key: string | null): SpeechSettings | null {
  const { speech_address: address, speech_model: model, speech_engine: engine, language } = settings
  if (engine === 'server' && address !== null) return { engine, address, model, key, language }
  // Sound goes to an address only where a server was chosen.
  return { engine: engine === 'local' ? engine : 'none', address: '', model: null, key: null, language }
}
