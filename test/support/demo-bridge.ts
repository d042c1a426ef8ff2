import type { AppState } from '#contract/bridge/app.ts'
import type { Bridge, Handlers, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import { recordSorts } from '#contract/bridge/moving.ts'
import { AppError } from '#contract/errors.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import { demoCard, type DemoCoverage, demoCoverage, demoOriginal } from './demo-coverage.ts'
import { demoConflicts, type DemoMeanwhile, demoQuestions } from './demo-conflicts.ts'
import { demoFigures } from './demo-figures.ts'
import { demoDraftModels, type DemoModels, demoModels } from './demo-models.ts'
import { demoBrief, demoGists, demoInsights, type DemoInsights, demoTranscript, demoTreatment } from './demo-insights.ts'
import { type DemoMoving, demoMoving } from './demo-moving.ts'
import { demoAppointments, demoBooked, type DemoHours, demoHours, demoProposals } from './demo-week.ts'
import { type DemoOutbox, demoOutbox, demoSent } from './demo-outbox.ts'
import { demoFound, matches } from './demo-search.ts'
import { type DemoUpdates, demoUpdates } from './demo-updates.ts'
import { type DemoRecordings, demoRecordings, withConsent } from './demo-recordings.ts'
import { demoNotes } from './demo-recovery.ts'
import { demoReview } from './demo-review.ts'
import { demoDictation, type DemoDictation, demoTyping, type DemoTyping } from './demo-typing.ts'
import {
  clientNamed,
  demoClients,
  demoConsents,
  demoSessions,
  demoSettings,
  demoTemplate,
  unfinishedSessions,
  withoutDraft,
} from './demo-records.ts'

/** What a test wants to look at; set as `window.demo` before the page begins. */
export interface DemoScene extends DemoRecordings {
  readonly app?: Partial<AppState>
  readonly settings?: Partial<Settings>
  readonly models?: DemoModels
  readonly updates?: DemoUpdates
  /** What the payer said of each client; left out: it said something. */
  readonly coverage?: DemoCoverage
  /** Two sessions stand at one time. */
  readonly isClashing?: boolean
  /** Past appointments of today and yesterday have no status; one was canceled late. */
  readonly isUnconfirmed?: boolean
  readonly hasSeries?: boolean
  /** How many notes of earlier days are not signed; left out: the one of the session before. */
  readonly unsigned?: number
  /** Whether the service that keeps working hours answers; it does where it is left out. */
  readonly hours?: DemoHours
  /** How it stands with what is to be sent; left out: nothing leaves this laptop. */
  readonly outbox?: DemoOutbox
  /** How far a move to a practice’s service has come; left out: nobody thought of one. */
  readonly moving?: DemoMoving
  /** One question of every kind. */
  readonly conflicts?: true
  /** Nobody and nothing is there yet. */
  readonly isEmpty?: boolean
  /** Its first session was last week, and its notes are signed late. */
  readonly isNewPractice?: true
  /** Whether sessions were read for insights; they were where it is left out. */
  readonly insights?: DemoInsights
  /** Every session has a draft, and its transcript changed after it was written. */
  readonly isNoteOutdated?: true
  /** Every session has a draft with an item of every kind to review. */
  readonly isToReview?: true
  /** A note that can be typed, of every session. */
  readonly typing?: DemoTyping
  readonly dictation?: DemoDictation
  /** The installed app, which runs no model files. */
  readonly isPackaged?: boolean
  /** Chosen in Settings before. */
  readonly language?: 'en' | 'es'
  /** Answered at `window.demoAnswers()`, with what was so when it was asked: what is done while the core is slow. */
  readonly held?: readonly MethodName[]
}

declare global {
  interface Window {
    demo?: DemoScene
    demoAnswers?: () => void
    demoEmit?: (name: string, payload: unknown) => void
    demoMeanwhile?: DemoMeanwhile
  }
}

/** A bridge inside the page, answering from invented records: for looking at pages without a core. */
function createDemoBridge(scene: DemoScene): Bridge {
  const listeners = new Set<(name: string, payload: unknown) => void>()
  const emit = (name: string, payload: unknown): void => {
    for (const listener of listeners) listener(name, payload)
  }
  window.demoEmit = emit
  const answers = new Promise<void>((resolve) => (window.demoAnswers = resolve))
  let settings: Settings = { ...demoSettings, ...scene.settings }
  let app: AppState = {
    phase: 'ready',
    trouble: null,
    protection: 'passphrase',
    keychain_available: false,
    keys_may_be_older: false,
    unopened_files: [],
    shell: 'preview',
    app_version: '0.1.0',
    platform: 'linux',
    system_locale: 'en-US',
    data_folder: '/data/Afterword',
    recording_id: null,
    ...scene.app,
  }
  const changeApp = (change: Partial<AppState>): void => {
    app = { ...app, ...change }
    emit('app.changed', app)
  }
  const models = demoModels(scene.models ?? 'nothing yet')
  const clients = scene.isEmpty === true ? [] : demoClients
  const booked = demoBooked(scene)
  const all = (scene.lostNotes === true ? booked.map(withoutDraft) : booked).map((row) => withConsent(row, scene))
  const sessions: readonly SessionRow[] = scene.isEmpty === true ? [] : all
  const must = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new AppError('not-found')
    return value
  }

  const consents = [...demoConsents]
  let codeMade: MethodOutput<'vault.recoveryCodeMade'> = null

  const handlers: Partial<Handlers<MethodName>> = {
    ...demoHours(scene.hours ?? 'set'),
    ...demoUpdates(scene.updates),
    'schedule.ask': () => demoProposals,
    'figures.read': ({ period }) => demoFigures(period, scene.isEmpty === true, scene.isNewPractice),
    'app.state': () => app,
    'vault.create': () => {
      changeApp({ phase: 'ready', protection: 'passphrase' })
      return { recovery_code: '7ZQ4K-M2C9D-0XW3V-HT8RA-5JN6P-YB1GE-F4S7Q-K9D2M' }
    },
    'vault.unlock': (unlock) => {
      if ('passphrase' in unlock && unlock.passphrase !== 'four calm words here') throw new AppError('wrong-passphrase')
      if ('recovery_code' in unlock) throw new AppError('wrong-recovery-code')
      changeApp({ phase: 'ready', trouble: null })
      return {}
    },
    'vault.changePassphrase': ({ proof }) => {
      if ('passphrase' in proof && proof.passphrase !== 'four calm words here') throw new AppError('wrong-passphrase')
      return {}
    },
    'vault.newRecoveryCode': ({ proof }) => {
      codeMade = { made_at: new Date().toISOString(), is_proven: proof !== null }
      return { recovery_code: '5TB2P-W0JQX-81ZKE-RN6VA-C4HGD-M9F3S-7YPT2-X0QBK' }
    },
    'vault.recoveryCodeMade': () => codeMade,
    'vault.retry': () => ({}),
    'vault.lock': () => {
      changeApp({ phase: 'locked' })
      return {}
    },
    'moving.state': () => demoMoving(scene.moving),
    'moving.keyState': () => ({ state: 'good', ends_at: '2027-01-20T10:00:00.000Z', renews: true }),
    'moving.look': () => demoMoving('looked'),
    'moving.confirm': () => {
      throw new AppError('service-unreachable')
    },
    'settings.get': () => settings,
    'settings.update': (patch) => {
      settings = { ...settings, ...(patch as Partial<Settings>) }
      emit('settings.changed', settings)
      return settings
    },
    'settings.setKey': () => {
      throw new AppError('keychain-unavailable')
    },
    'settings.signIn': () => ({ address: 'https://sign-in.example/authorize' }),
    'settings.finishSignIn': () => {
      settings = { ...settings, service_has_key: true }
      emit('settings.changed', settings)
      return settings
    },
    'settings.testSpeech': () => ({ ready: true, hint: null, models: ['whisper-small'] }),
    'settings.network': () => ({ metered: null }),
    'settings.draftModels': () => demoDraftModels(scene.isPackaged === true),
    'settings.testLanguage': () => ({ ready: true, hint: null, models: ['qwen3-4b', 'llama-3.2-3b'] }),
    'templates.list': () => (scene.isEmpty === true ? [] : [demoTemplate]),
    'templates.fromExample': () => {
      throw new AppError('import-unreadable')
    },
    'service.offers': () => ({
      service: 'embedded',
      is_known: true,
      kept_there: [...recordSorts],
      waiting: [],
      brought_here: [...recordSorts],
      tells_changes: true,
      unlisted: [],
    }),
    'voices.get': () => ({ enrolled_at: null, heard_ms: null, usable: false, ready: false }),
    'voices.enrollFromSession': () => ({ enrolled_at: '2026-11-24T14:02:00.000Z', heard_ms: 14_000, usable: true, ready: true }),
    'voices.enroll': () => ({ enrolled_at: '2026-11-24T14:02:00.000Z', heard_ms: 14_000, usable: true, ready: true }),
    'voices.remove': () => ({ enrolled_at: null, heard_ms: null, usable: false, ready: true }),
    'models.list': () => models,
    'models.install': () => models,
    'models.cancel': () => models,
    'models.remove': () => models,
    'models.choose': () => models,
    'models.test': () => models,
    'models.import': () => {
      throw new AppError('model-unknown')
    },
    'clients.list': ({ q }) => clients.filter(({ client }) => q === undefined || matches(client.display_name, q)),
    'clients.get': ({ id }) => {
      const row = must(clients.find(({ client }) => client.id === id))
      const treatment = row.client.given_name === 'Maren' ? demoTreatment : {}
      return { ...row, client: { ...row.client, ...treatment, insurance: demoCard } }
    },
    'coverage.get': () => demoCoverage(scene.coverage ?? 'said'),
    'coverage.check': () => ({ coverage: demoCoverage('said'), is_still_asking: false }),
    'coverage.original': () => demoOriginal,
    'clients.update': ({ id, patch }) => ({
      ...must(clients.find(({ client }) => client.id === id)).client,
      ...(patch as object),
    }),
    'sample.add': () => ({ session_id: must(demoSessions[6]).session.id }),
    'sample.remove': () => ({}),
    'clients.create': (draft) => ({ ...clientNamed('Maren').client, display_name: draft.display_name }),
    'consents.list': () => (scene.cutOff === 'lost session' ? [] : [...consents]),
    'consents.give': (given) => {
      const consent = { ...demoConsents[0]!, ...given, id: crypto.randomUUID(), given_at: new Date().toISOString() }
      consents.push(consent)
      emit('records.changed', { kinds: ['consents'] })
      return consent
    },
    'consents.revoke': () => must(demoConsents[0]),
    'sessions.list': ({ client_id, from, to }) =>
      sessions.filter(
        ({ session }) =>
          (client_id === undefined || session.client_id === client_id) &&
          (from === undefined || session.starts_at >= from) &&
          (to === undefined || session.starts_at < to),
      ),
    'sessions.unfinished': ({ limit }) => unfinishedSessions(sessions, scene.unsigned, limit),
    'sessions.get': ({ id }) => must(sessions.find(({ session }) => session.id === id)),
    'sessions.create': () => must(sessions[8]).session,
    ...demoAppointments(sessions),
    ...demoNotes(scene.isNoteOutdated),
    ...demoReview(scene.isToReview),
    'notes.previous': () => null,
    'transcripts.get': () => ({
      transcript: demoTranscript,
      work: { state: 'idle', progress: 0, error: null },
      speech_ready: true,
    }),
    'insights.get': () => demoInsights(scene.insights ?? 'present'),
    'insights.request': () => ({ state: 'waiting', progress: 0, error: null }),
    'insights.decide': () => demoInsights('present'),
    'clients.brief': ({ client_id }) =>
      scene.isEmpty === true
        ? { ...demoBrief(client_id, 'not_asked'), last_session: null }
        : demoBrief(client_id, scene.insights ?? 'present'),
    'clients.sessionGists': ({ client_id }) => demoGists(client_id, scene.insights ?? 'present'),
    ...demoRecordings(scene),
    ...demoQuestions(scene.conflicts === true),
    'outbox.list': () => demoOutbox(scene.outbox, scene.isEmpty).items,
    'outbox.status': () => ({
      ...demoOutbox(scene.outbox, scene.isEmpty).status,
      conflicts: scene.conflicts === true ? demoConflicts.length : 0,
    }),
    'outbox.sentToday': () => demoSent(scene.outbox),
    'outbox.retry': () => demoOutbox(scene.outbox).status,
    'outbox.retryOne': () => demoOutbox(scene.outbox).status,
    'outbox.first': () => demoOutbox(scene.outbox).status,
    'outbox.pause': ({ paused }) => ({ ...demoOutbox(scene.outbox).status, phase: paused ? 'paused' : 'sending' }),
    ...demoTyping(scene.typing, emit),
    ...demoDictation(scene.dictation, emit),
    'search.find': ({ q }) => demoFound(q, clients, sessions),
  }

  return {
    async call(name, input) {
      const handler = handlers[name] as ((input: unknown) => unknown) | undefined
      try {
        if (handler === undefined) throw new AppError('not-found')
        const value = (await handler(input)) as never
        if (scene.held?.includes(name)) await answers
        return { ok: true, value }
      } catch (error) {
        if (error instanceof AppError)
          return { ok: false, error: { code: error.code, ...(error.detail === undefined ? {} : { detail: error.detail }) } }
        throw error
      }
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onConnection: () => () => undefined,
  }
}

Object.assign(window, { afterword: createDemoBridge(window.demo ?? {}) })
