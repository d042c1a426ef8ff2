import type { AppState } from '#contract/bridge/app.ts'
import type { Emit } from '#contract/bridge/events.ts'
import type { Answer } from '#contract/bridge/method.ts'
import type { Clock } from '#base/clock.ts'
import type { Timer } from '#client/patience.ts'
import type { LanguageSettings, SpeechSettings } from '#base/engine-settings.ts'
import type { Log } from '#base/log.ts'
import type { ReadOut } from '#base/read-out.ts'
import type { Network } from '#base/metered-network.ts'
import type { AppendPort } from '#core/recordings/append-service.ts'
import type { RecordingAudio } from '#core/recordings/recording-audio.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import type { Keychain } from '#base/keychain.ts'

export interface EmbeddedService {
  fetch(request: Request): Promise<Response>
  /** Calls under way that would take long give up. */
  beginClose(): void
  close(): Promise<void>
}

/** The Clinical Documentation Service in this process; `key` is copied by the service and zeroed here. */
export type ServiceFactory = (options: {
  readonly file: string
  readonly key: Uint8Array
  readonly audio: RecordingAudio
  readonly speech: () => SpeechSettings | null
  readonly language: () => LanguageSettings
  /** The store is damaged, and was rebuilt from what is left of it. */
  readonly onRepaired: (found: ReadOut) => void
}) => Promise<EmbeddedService>

export interface CorePorts {
  /** The profile's folder. */
  readonly folder: string
  /** What is delivered with the app: fonts. */
  readonly resources: string
  readonly clock: Clock
  readonly log: Log
  readonly keychain: Keychain
  readonly emit: Emit
  readonly append: AppendPort
  readonly openService: ServiceFactory
  /** For services elsewhere: a practice's, a speech server. */
  readonly fetch: typeof fetch
  /** What the system knows of the network; nothing where it is left out. */
  readonly network?: Network
  readonly shell: AppState['shell']
  readonly app_version: string
  /** The installed app, without the project's folder around it; false where it is left out. */
  readonly is_packaged?: boolean
  readonly platform: string
  /** Stay locked until somebody unlocks, even where the keychain would open it. */
  readonly start_locked?: boolean
  /** How the sync loop waits; in real time unless a test says otherwise. */
  readonly wait?: SyncPorts['wait']
  /** How long a practice's service may keep silent is waited for with it; in real time unless a test says otherwise. */
  readonly timer?: Timer
  /** 0 to 1: spreads what would come back in one moment. */
  readonly random?: SyncPorts['random']
  /** The same for what may take days: a move to a practice's service, and the life of its key. */
  readonly wait_for_days?: SyncPorts['wait']
}

export interface Core {
  /** Parses what comes in and what goes out; every method of the bridge but `recordings.append`. */
  call(name: string, input: unknown): Promise<Answer<unknown>>
  /** `/media/recordings/*` and `/exports/*`. */
  media(request: Request): Promise<Response>
  state(): AppState
  close(): Promise<void>
}
