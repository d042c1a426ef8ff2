import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answer } from '#contract/bridge/method.ts'
import type { EventName, EventPayload } from '#contract/bridge/events.ts'
import type { MethodInput, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import { repository } from '#test/support/machine.ts'
import type { Controls, FromApp } from './controls.ts'
import type { Entry } from './journal.ts'
import type { StandInOptions } from './options.ts'

const bootProgram = fileURLToPath(new URL('./boot.ts', import.meta.url))

export interface StartOptions extends Partial<StandInOptions> {
  /** The profile folder. By default a new one, which `remove()` deletes. */
  readonly profile?: string
  readonly environment?: NodeJS.ProcessEnv
  /** Registrations to ignore; see registrations.ts. */
  readonly drop?: readonly string[]
  /** Pieces of the entry module's code and what replaces them. */
  readonly code?: readonly (readonly [string, string])[]
  /** Modules to load into the app and its threads first. */
  readonly preload?: readonly string[]
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface StartedApp {
  readonly profile: string
  readonly pid: number
  ask<Name extends keyof Controls>(name: Name, ...given: Parameters<Controls[Name]>): Promise<Awaited<ReturnType<Controls[Name]>>>
  /** Calls the bridge as the page does. */
  call<Name extends MethodName>(name: Name, input: MethodInput<Name>): Promise<Answer<MethodOutput<Name>>>
  /** Everything recorded so far. */
  readonly journal: readonly Entry[]
  /** Waits for the first matching entry at or after index `from` of the journal. */
  until(what: string, isIt?: (detail: unknown) => boolean, from?: number): Promise<unknown>
  /** Waits for a bridge event that the page received. */
  event<Name extends EventName>(
    name: Name,
    isIt?: (payload: EventPayload<Name>) => boolean,
    from?: number,
  ): Promise<EventPayload<Name>>
  readonly ended: Promise<Ending>
  output(): string
  kill(signal?: NodeJS.Signals): Promise<Ending>
  /** Kills the app if it still runs, and deletes its folder. */
  remove(): Promise<void>
}

const isCrash = ({ what }: Entry): boolean => what === 'uncaught'

/** Starts the built app with the stand-in in a child process. */
export function startApp(options: StartOptions = {}): StartedApp {
  const { profile: given, environment = {}, drop = [], code, preload = [], ...standIn } = options
  const home = mkdtempSync(join(tmpdir(), 'afterword-app-'))
  const profile = given ?? join(home, 'profile')
  const appPath = standIn.appPath ?? repository
  const full = { appPath, entry: join(appPath, 'out', 'main', 'index.js'), platform: process.platform, ...standIn }
  const { DBUS_SESSION_BUS_ADDRESS: _bus, ...inherited } = process.env
  const child = fork(bootProgram, [], {
    cwd: home,
    execArgv: ['--unhandled-rejections=warn', ...preload.flatMap((file) => ['--import', file])],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...inherited,
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      AFTERWORD_PROFILE: profile,
      AFTERWORD_STAND_IN: JSON.stringify(full),
      AFTERWORD_STAND_IN_DROP: [process.env['AFTERWORD_STAND_IN_DROP'] ?? '', ...drop].join(' '),
      ...(code === undefined ? {} : { AFTERWORD_STAND_IN_CODE: JSON.stringify(code) }),
      ...environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()))
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)

  const journal: Entry[] = []
  const open = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  const waiting = new Set<{ check: () => void; reject: (error: Error) => void }>()
  let lastId = 0
  let ending: Ending | null = null

  child.on('message', (message: FromApp) => {
    if (message.kind === 'recorded') {
      journal.push({ what: message.what, detail: message.detail })
      for (const { check } of waiting) check()
      return
    }
    const asked = open.get(message.id)
    open.delete(message.id)
    if (message.error === undefined) asked?.resolve(message.value)
    else asked?.reject(new Error(message.error))
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    ending = { code: code as number | null, signal: signal as NodeJS.Signals | null }
    process.off('exit', killWithUs)
    for (const { reject } of [...open.values(), ...waiting]) reject(goneError())
    return ending
  })
  const goneError = (): Error =>
    new Error(
      `the app ended (${ending?.code ?? ending?.signal}):\n${output}\n${JSON.stringify(journal.slice(-10)).slice(0, 3000)}`,
    )

  const app: StartedApp = {
    profile,
    pid: child.pid!,
    journal,
    ended,
    output: () => output,
    ask(name, ...parts) {
      if (ending !== null) return Promise.reject(goneError())
      lastId += 1
      const id = lastId
      const { promise, resolve, reject } = Promise.withResolvers<never>()
      open.set(id, { resolve: resolve as (value: unknown) => void, reject })
      child.send({ id, name, given: parts })
      return promise
    },
    call: (name, input) => app.ask('call', name, input) as Promise<Answer<never>>,
    until(what, isIt = () => true, from = 0) {
      return new Promise((resolve, reject) => {
        const entry = {
          check() {
            const crash = journal.find(isCrash)
            if (crash !== undefined) {
              waiting.delete(entry)
              reject(new Error(JSON.stringify(crash.detail)))
            }
            const found = journal.slice(from).find((entry) => entry.what === what && isIt(entry.detail))
            if (found === undefined) return
            waiting.delete(entry)
            resolve(found.detail)
          },
          reject,
        }
        waiting.add(entry)
        entry.check()
        if (ending !== null && waiting.has(entry)) reject(goneError())
      })
    },
    async event(name, isIt = () => true, from = 0) {
      const isEvent = (detail: unknown): boolean => {
        const event = detail as { name: string; payload: never }
        return event.name === name && isIt(event.payload)
      }
      return ((await app.until('event', isEvent, from)) as { payload: never }).payload
    },
    async kill(signal = 'SIGKILL') {
      if (ending === null) child.kill(signal)
      return ended
    },
    async remove() {
      await app.kill()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return app
}
