import type { Timer } from '#client/patience.ts'
import type { AppState } from '#contract/bridge/app.ts'
import type { Answer } from '#contract/bridge/method.ts'
import type { LanguageSettings, SpeechSettings } from '#base/engine-settings.ts'
import type { ReadOut } from '#base/read-out.ts'
import type { Network } from '#base/metered-network.ts'
import type { AppendPort } from '#core/recordings/append-service.ts'
import type { RecordingAudio } from '#core/recordings/recording-audio.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import type { Keychain } from '#base/keychain.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import { AppError } from '#contract/errors.ts'
import { type AnyHandler, dispatch } from './dispatch.ts'
import { Gate } from './gate.ts'

export interface EmbeddedService {
  fetch(request: Request): Promise<Response>
  /** Returns the words in Ogg Opus sound and stores nothing. `sound` is read again after an engine crash. */
  hear(sound: () => AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string>
  beginClose(): void
  close(): Promise<void>
}

/** Opens the embedded service. The caller zeroes `key` afterward. */
export type ServiceFactory = (options: {
  readonly file: string
  readonly key: Uint8Array
  readonly audio: RecordingAudio
  readonly speech: () => SpeechSettings | null
  readonly language: () => LanguageSettings
  readonly onRepaired: (found: ReadOut) => void
}) => Promise<EmbeddedService>

export interface CorePorts extends Pick<RecordParts, 'clock' | 'log' | 'emit'> {
  readonly folder: string
  readonly resources: string
  readonly keychain: Keychain
  readonly append: AppendPort
  readonly openService: ServiceFactory
  readonly fetch: typeof fetch
  readonly network?: Network
  readonly shell: AppState['shell']
  readonly app_version: string
  readonly is_packaged?: boolean
  readonly platform: string
  readonly system_locale: string
  readonly start_locked?: boolean
  readonly wait?: SyncPorts['wait']
  readonly timer?: Timer
  readonly random?: SyncPorts['random']
  readonly wait_for_days?: SyncPorts['wait']
}

export type Core = Awaited<ReturnType<typeof openCore>>

export async function openCore(ports: CorePorts) {
  const gate = new Gate(ports)
  await gate.begin(ports.start_locked === true)
  const handlerOf = (name: string): AnyHandler => {
    const handlers = { ...gate.profile?.handlers, ...gate.handlers } as Record<string, AnyHandler | undefined>
    const handler = handlers[name]
    if (handler !== undefined) return handler
    throw gate.profile === null
      ? new AppError('vault-locked')
      : new AppError('bad-request', 'The core does not answer this method.')
  }
  return {
    call: (name: string, input: unknown): Promise<Answer<unknown>> =>
      gate.during(name, async () => {
        const answer = await dispatch(ports.log, handlerOf, name, input)
        if (!answer.ok && answer.error.code === 'database-damaged') gate.profile?.suspectDamage()
        return answer
      }),
    media: async (request: Request): Promise<Response> =>
      gate.profile?.media(request) ?? new Response(null, { status: 423, headers: { 'cache-control': 'no-store' } }),
    state: () => gate.state,
    close: () => gate.close(),
  }
}
