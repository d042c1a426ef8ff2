import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'
import { recordingPath } from '#contract/bridge/library.ts'
import type { MethodInput, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import { attempt, within } from '#base/control.ts'
import { errorKind } from '#base/log.ts'
import { FAKE_MICROPHONE } from './microphone.ts'
import { appOrigin } from './app-protocol.ts'
import type { CoreHost } from '#shell/core-host.ts'
import type { ShellCalls } from './bridge.ts'

const RECORD_MS = 3000
const MAX_STEP_MS = 60_000
/** Less than the 10 s after which a slow quit ends the process with exit code 0 (closing.ts), so that the test fails. */
const MAX_QUIT_MS = 9000
const MIN_PEAK = 0.01

interface TestedApp extends Pick<CoreHost, 'call' | 'media'> {
  send(name: string, payload: unknown): void
  close(): Promise<unknown>
}

class StepFailed extends Error {}

/**
 * With `--self-test` the app opens, creates records, records 3 s in its window, reads the sound, locks, and exits with 0. On
 * failure it prints the step and exits with 1. It uses a new temporary folder and Chromium's fake microphone. Call before
 * `ready`.
 */
export function prepareSelfTest(): SelfTest | null {
  if (!app.commandLine.hasSwitch('self-test')) return null
  const folder = mkdtempSync(join(tmpdir(), 'afterword-self-test-'))
  process.env['AFTERWORD_PROFILE'] = join(folder, 'profile')
  app.commandLine.appendSwitch(FAKE_MICROPHONE)
  return new SelfTest(folder)
}

export class SelfTest {
  readonly #folder: string
  readonly #page = Promise.withResolvers<void>()
  readonly #window = Promise.withResolvers<string | null>()

  readonly calls: ShellCalls = {
    'app.state': (_input, core) => {
      this.#page.resolve()
      return core()
    },
    'app.selfTested': (input, core) => {
      this.#window.resolve((input as { failed?: string | null } | null)?.failed ?? null)
      return core()
    },
  }

  constructor(folder: string) {
    this.#folder = folder
  }

  async run(tested: TestedApp): Promise<void> {
    try {
      await this.#steps(tested)
      this.#quit()
    } catch (error) {
      await step('close', tested.close()).catch(() => {})
      this.fail(error instanceof StepFailed ? error.message : `unknown (${errorKind(error)})`)
    }
  }

  fail(reason: string): void {
    process.stderr.write(`self-test: failed at ${reason}\n`)
    this.#remove()
    app.exit(1)
  }

  async #steps(tested: TestedApp): Promise<void> {
    const call = caller(tested)
    await step('open', this.#page.promise)
    await step('make records', makeRecords(call))
    const session_id = await step('book a session', bookSession(call))
    tested.send('app.selfTest', { session_id, record_ms: RECORD_MS })
    const failed = await step('record', this.#window.promise)
    if (failed !== null) throw new StepFailed(failed)
    const recording_id = await step('keep the recording', checkRecording(call, session_id))
    await step('read the recording', checkMedia(tested, recording_id))
    await step('lock', checkLock(call))
  }

  #quit(): void {
    const tooLong = setTimeout(() => this.fail('quit (too long)'), MAX_QUIT_MS)
    app.once('will-quit', () => {
      clearTimeout(tooLong)
      this.#remove()
    })
    app.quit()
  }

  /** Removes each part separately: on Windows, Chromium's cache files are still in use and cannot be removed. */
  #remove(): void {
    const profile = join(this.#folder, 'profile')
    const parts = existsSync(profile) ? readdirSync(profile).map((name) => join(profile, name)) : []
    for (const part of [...parts, this.#folder]) attempt(() => rmSync(part, { recursive: true, force: true }))
  }
}

type Call = <Name extends MethodName>(name: Name, input: MethodInput<Name>) => Promise<MethodOutput<Name>>

function caller({ call }: TestedApp): Call {
  return async (name, input) => {
    const answer = await call(name, input)
    if (!answer.ok) throw new AppError(answer.error.code)
    return answer.value as never
  }
}

async function step<Value>(name: string, work: Promise<Value>): Promise<Value> {
  try {
    return await within(work, MAX_STEP_MS, () => {
      throw new StepFailed(`${name} (too long)`)
    })
  } catch (error) {
    if (error instanceof StepFailed) throw error
    throw new StepFailed(`${name} (${error instanceof AppError ? error.code : errorKind(error)})`)
  }
}

async function makeRecords(call: Call): Promise<void> {
  const therapist = { therapist_name: 'Self-test', therapist_credential: null }
  await call('vault.create', { protection: 'passphrase', passphrase: randomUUID(), ...therapist })
}

async function bookSession(call: Call): Promise<string> {
  const client = await call('clients.create', { display_name: 'Self-test' })
  const session = await call('sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at: new Date().toISOString(),
    duration_minutes: 50,
  })
  await call('consents.give', {
    client_id: client.id,
    participant: { name: 'Self-test', role: 'client' },
    scopes: ['record'],
    text_version: '1',
    method: 'spoken',
  })
  return session.id
}

async function checkRecording(call: Call, session_id: string): Promise<string> {
  const recording = await call('recordings.get', { session_id })
  if (recording === null) throw new AppError('not-found')
  const { peaks, duration_ms } = await call('recordings.waveform', { recording_id: recording.id, buckets: 100 })
  if (duration_ms < RECORD_MS) throw new StepFailed(`keep the recording (${duration_ms} ms)`)
  if (Math.max(...peaks) < MIN_PEAK) throw new StepFailed('keep the recording (silence)')
  return recording.id
}

async function checkMedia({ media }: TestedApp, recording_id: string): Promise<void> {
  const address = `${appOrigin}${recordingPath(recording_id)}`
  const response = await media(new Request(address, { headers: { range: 'bytes=0-3' } }))
  const text = await response.text()
  if (response.status !== 206 || text !== 'OggS') throw new StepFailed(`read the recording (${response.status})`)
}

async function checkLock(call: Call): Promise<void> {
  await call('vault.lock', {})
  const { phase } = await call('app.state', {})
  if (phase !== 'locked') throw new StepFailed(`lock (${phase})`)
}
