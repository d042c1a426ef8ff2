import { bridgeEvents, type Emit } from '#contract/bridge/events.ts'
import type { MethodName } from '#contract/bridge/methods.ts'
import { type Settings, settingsMethods } from '#contract/bridge/settings.ts'
import { within } from '#base/control.ts'
import { systemClock } from '#base/clock.ts'
import { errorKind, type Log } from '#base/log.ts'
import { dispatch } from '#core/app/dispatch.ts'
import type { ShellCall, ShellCalls } from '#main/bridge.ts'
import type { CoreHost } from '#shell/core-host.ts'
import { type UpdatePorts, Updates } from './updates.ts'

/** Milliseconds for the window's pending calls; then the install stops with the obstacle `unsaved`. */
const SAVE_MS = 5000
/** Calls that an install does not wait for, because a sign-in in the browser may take any time. */
const unbounded: ReadonlySet<string> = new Set(['settings.finishSignIn', 'moving.finishSignIn'] satisfies MethodName[])

interface Parts extends Pick<UpdatePorts, 'delivery' | 'openSource' | 'beforeInstall' | 'closeCore' | 'endApp'> {
  readonly emit: Emit
  readonly log: Log
}

export type ServedUpdates = ReturnType<typeof serveUpdates>

export function serveUpdates({ emit, log, ...parts }: Parts) {
  const counter = countCalls()
  const updates = new Updates({
    ...parts,
    log,
    clock: systemClock,
    later,
    onChange: (state) => emit('updates.changed', state),
    allSaved: () => counter.settled(SAVE_MS),
  })
  const facts = learnFacts(updates, log)
  const answers: Readonly<Record<string, () => unknown>> = {
    'updates.state': () => updates.state,
    'updates.check': () => updates.check(),
    'updates.download': () => updates.download(),
    'updates.install': () => updates.install(),
  }
  const answer = async (name: string): Promise<unknown> => {
    if (name !== 'updates.state') await facts.learned()
    return answers[name]?.()
  }
  const serve =
    (name: string): ShellCall =>
    (input) =>
      dispatch(log, () => () => answer(name), name, input)

  return {
    calls: Object.fromEntries(Object.keys(answers).map((name) => [name, serve(name)])) satisfies ShellCalls,
    hear: facts.hear,
    follow(host: CoreHost): CoreHost {
      facts.askHost(host)
      return { ...host, call: (name, input) => counter.during(name, host.call(name, input)) }
    },
  }
}

function learnFacts(updates: Updates, log: Log) {
  let host: CoreHost | null = null
  let isUnlocked = false
  /** Settles once the latest app state is processed. Every update method except `updates.state` waits for it. */
  let learned: Promise<unknown> = Promise.resolve()

  const hearApp = async (payload: unknown): Promise<void> => {
    const app = bridgeEvents['app.changed'].safeParse(payload)
    if (!app.success) return
    updates.adoptRecording(app.data.recording_id)
    isUnlocked = app.data.phase === 'ready'
    if (!isUnlocked) return updates.adoptSettings(null)
    const settings = host === null ? null : await settingsOf(host)
    if (settings !== null && isUnlocked) updates.adoptSettings(settings)
  }
  const hearSettings = (payload: unknown): void => {
    const settings = bridgeEvents['settings.changed'].safeParse(payload)
    if (settings.success) updates.adoptSettings(settings.data)
  }
  const ask = async (given: CoreHost): Promise<void> => {
    const answer = await given.call('app.state', {})
    if (answer.ok) await hearApp(answer.value)
  }
  const learn = (fact: Promise<void>): void =>
    void (learned = fact.catch((error: unknown) => log.warn('update.settings-unknown', { kind: errorKind(error) })))

  return {
    learned: () => learned,
    hear(name: string, payload: unknown): void {
      if (name === 'app.changed') learn(hearApp(payload))
      if (name === 'settings.changed') hearSettings(payload)
    },
    askHost(given: CoreHost): void {
      host = given
      learn(ask(given))
    },
  }
}

async function settingsOf(host: CoreHost): Promise<Settings | null> {
  const answer = await host.call('settings.get', {})
  return answer.ok ? (settingsMethods['settings.get'].output.safeParse(answer.value).data ?? null) : null
}

function countCalls() {
  const unanswered = new Set<Promise<unknown>>()
  return {
    during<Result>(name: string, call: Promise<Result>): Promise<Result> {
      if (unbounded.has(name)) return call
      unanswered.add(call)
      const forget = (): void => void unanswered.delete(call)
      call.then(forget, forget)
      return call
    },
    settled: (withinMs: number): Promise<boolean> =>
      within(
        Promise.allSettled(unanswered).then(() => true),
        withinMs,
        () => false,
      ),
  }
}

function later(run: () => void, delay: number): () => void {
  const timer = setTimeout(run, delay)
  timer.unref()
  return () => clearTimeout(timer)
}
