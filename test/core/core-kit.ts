import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Clock, systemClock } from '#base/clock.ts'
import { type Log, silentLog } from '#base/log.ts'
import type { MethodInput, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import { type Core, type CorePorts, openCore, type ServiceFactory } from '#core/app/open-core.ts'
import { type AppendPort, type AppendService, createAppendService } from '#core/recordings/append-service.ts'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import { onPostgres, serviceOverHttp } from './service-over-http.ts'

export interface CoreKit {
  readonly folder: string
  readonly events: { name: string; payload: unknown }[]
  readonly append: AppendService
  readonly ports: CorePorts
  open(overrides?: Partial<CorePorts>): Promise<OpenCore>
  remove(): void
}

export interface OpenCore {
  readonly core: Core
  /** The value, or the failure thrown as the AppError it was. */
  call<Name extends MethodName>(name: Name, input: MethodInput<Name>): Promise<MethodOutput<Name>>
  /** Resolves once the outbox has nothing left but what needs somebody. */
  settled(): Promise<void>
  until(holds: () => boolean | Promise<boolean>): Promise<void>
}

/** The core with a real vault, the real service and real files, as a shell puts it together; the keychain is in memory. */
export function coreKit(options: { clock?: Clock; log?: Log; folder?: string } = {}): CoreKit {
  const { clock = systemClock, log = silentLog } = options
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'afterword-core-'))
  const events: CoreKit['events'] = []
  const append = createAppendService({ clock, log })
  const ports: CorePorts = {
    folder,
    resources: resolve(import.meta.dirname, '../../resources'),
    clock,
    log,
    keychain: memoryKeychain(),
    emit: (name, payload) => void events.push({ name, payload }),
    append: appendPort(append),
    openService: realService(clock, log),
    fetch: () => Promise.reject(new TypeError('no network in this test')),
    shell: 'preview',
    app_version: '0.0.0',
    platform: process.platform,
    system_locale: 'en-US',
  }
  return {
    folder,
    events,
    append,
    ports,
    async open(overrides = {}) {
      const core = await openCore({ ...ports, ...overrides })
      return openedCore(core)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** For tests of what only the embedded service does. */
export const isBehindHttp = process.env['AFTERWORD_TEST_SERVICE'] !== undefined

/** There the service has no file that a test could take away. */
export const isOnPostgres = process.env['AFTERWORD_TEST_SERVICE'] === 'postgres'

/** Embedded, as in the app, unless `AFTERWORD_TEST_SERVICE` puts it behind HTTP and keys: `http`, or `postgres`. */
export function realService(clock: Clock, log: Log): ServiceFactory {
  const where = process.env['AFTERWORD_TEST_SERVICE']
  // A process that is killed by its test would take its database with it.
  if (where === 'postgres' && process.env['VITEST'] !== undefined) return serviceOverHttp(clock, log, onPostgres)
  if (where !== undefined) return serviceOverHttp(clock, log)
  return async ({ file, key, audio, speech, language, onRepaired }) => {
    const { openService } = await import('#service/compose/open-service.ts')
    return openService({
      store: { kind: 'sqlite', file, key, repair: { clock, onRepaired } },
      audio,
      speech,
      language,
      clock,
      log,
      consentPolicy: 'enforced',
      caller: 'embedded',
    })
  }
}

/** A service that cannot be reached: what is done here stays in the outbox. */
export const noService: ServiceFactory = async () => ({
  fetch: () => Promise.reject(new TypeError('no service')),
  hear: () => Promise.reject(new TypeError('no service')),
  beginClose: () => {},
  close: async () => {},
})

function openedCore(core: Core): OpenCore {
  const call: OpenCore['call'] = async (name, input) => {
    const answer = await core.call(name, input)
    if (!answer.ok) throw new AppError(answer.error.code, answer.error.detail, answer.error.fields)
    return answer.value as never
  }
  const until: OpenCore['until'] = async (holds) => {
    const deadline = performance.now() + 120_000
    while (!(await holds())) {
      if (performance.now() > deadline) throw new Error('waited two minutes in vain')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  return {
    core,
    call,
    until,
    async settled() {
      try {
        await until(async () => {
          const { waiting, sending } = await call('outbox.status', {})
          return waiting === 0 && !sending
        })
      } catch {
        const left = (await call('outbox.list', {})).map(
          ({ kind, state, attempts, error }) => `${kind} ${state} ${attempts} ${error}`,
        )
        throw new Error(`the outbox never emptied: ${left.join(', ')}`)
      }
    },
  }
}

function appendPort(append: AppendService): AppendPort {
  return {
    open: async (input) => append.open(input),
    gap: async (input) => append.gap(input),
    attach: async (input) => append.attach(input),
    close: async (id) => append.close(id),
    status: async () => append.status(),
  }
}

export const therapist = { protection: 'keychain', therapist_name: 'Dr. Ana Ruiz', therapist_credential: 'LMFT' } as const

export async function createProfile(open: OpenCore): Promise<string> {
  return (await open.call('vault.create', therapist)).recovery_code
}

let hour = 0

/** A client with a session, each an hour after the last, and consent to everything. */
export async function clientWithSession(open: OpenCore, name = 'Marisol Vega', startsAt = Date.UTC(2024, 2, 4, 6 + hour)) {
  hour += 1
  const client = await open.call('clients.create', { display_name: name })
  const consent = await open.call('consents.give', {
    client_id: client.id,
    participant: { name, role: 'client' },
    scopes: ['record', 'transcribe', 'draft'],
    text_version: '1',
    method: 'spoken',
  })
  const session = await open.call('sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at: new Date(startsAt).toISOString(),
    duration_minutes: 50,
  })
  return { client, consent, session }
}

export const dialogue = `Therapist: How have you been sleeping since we last met?
Client: Not well. I wake up at three and my chest is tight, and I worry about the interview.
Therapist: Did you try the breathing exercise when you woke up?
Client: I tried it twice. It helped a little, I fell asleep again on Tuesday.
Therapist: Have you had any thoughts of hurting yourself?
Client: No, nothing like that.
Therapist: Let's keep the breathing every evening, and we will look at the interview next week.
Client: Okay. I will write the worries down before bed.`
