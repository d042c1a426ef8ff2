/** A recording fed through the bridge as the window's recorder does, with a list of every acknowledged record. */
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from '#contract/bridge/method.ts'
import type { MethodInput, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import { recordingPath } from '#contract/bridge/library.ts'
import type { GapReason, Recording } from '#contract/model/recording.ts'
import { joinPackets } from '#core/recordings/opus-packets.ts'
import { startApp, type StartedApp } from '#test/support/electron/started-app.ts'
import { demux } from '#test/support/ogg-pages.ts'

export const passphrase = 'a long enough passphrase'
const format = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 28_000, pre_skip: 312 } as const
const speech = demux(readFileSync(new URL('../../fixtures/speech/session.ogg', import.meta.url))).packets.slice(2)
const packetsOf = (sequence: number): Buffer[] =>
  Array.from({ length: 10 }, (_, index) => speech[(sequence * 10 + index) % speech.length]!)

/** @throws with the error code if the answer is a failure */
export async function expectOk<Name extends MethodName>(
  app: StartedApp,
  name: Name,
  input: MethodInput<Name>,
): Promise<MethodOutput<Name>> {
  const answer: Answer<MethodOutput<Name>> = await app.call(name, input)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code}`)
  return answer.value
}

/** Waits for the first page, then makes a vault. */
export async function createVault(app: StartedApp): Promise<void> {
  await app.until('page')
  const therapist = { therapist_name: 'Robin Adair', therapist_credential: null }
  await expectOk(app, 'vault.create', { protection: 'passphrase', passphrase, ...therapist })
}

/** A client who agreed to be recorded, with a session. */
export async function addSession(app: StartedApp): Promise<string> {
  const client = await expectOk(app, 'clients.create', { display_name: 'Maren Voss' })
  const session = await expectOk(app, 'sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at: '2026-11-24T14:00:00Z',
    duration_minutes: 50,
  })
  await expectOk(app, 'consents.give', {
    client_id: client.id,
    participant: { name: 'Maren Voss', role: 'client' },
    scopes: ['record', 'transcribe', 'draft'],
    text_version: '1',
    method: 'spoken',
  })
  return session.id
}

export const headerOf = ({ profile }: StartedApp): string => join(profile, 'vault.json')

/** Unlocking reads the vault's header. In its place, a pipe without a writer blocks the core's thread in `open` for ever. */
export async function blockCore(app: StartedApp): Promise<void> {
  await expectOk(app, 'vault.lock', {})
  renameSync(headerOf(app), `${headerOf(app)}.kept`)
  execFileSync('mkfifo', [headerOf(app)])
  void app.call('vault.unlock', { passphrase }).catch(() => {})
}

export class Ledger {
  readonly app: StartedApp
  readonly sessionId: string
  readonly recordingId: string
  readonly acknowledged = new Set<number>()
  #next = 0

  private constructor(app: StartedApp, sessionId: string, recordingId: string) {
    this.app = app
    this.sessionId = sessionId
    this.recordingId = recordingId
  }

  /** Makes a vault and a session and starts to record it. */
  static async start(app: StartedApp): Promise<Ledger> {
    await createVault(app)
    return Ledger.record(app, await addSession(app))
  }

  static async record(app: StartedApp, session_id: string): Promise<Ledger> {
    await expectOk(app, 'app.openMicrophone', { purpose: 'recording', session_id })
    await app.ask('storage', 'window', 'window-one')
    const started = await expectOk(app, 'recordings.start', { session_id, window_id: 'window-one', format, device_label: 'Test' })
    return new Ledger(app, session_id, started.recording_id)
  }

  /** @returns whether the record was acknowledged */
  async append(peak = 0.5): Promise<boolean> {
    const sequence = this.#next
    const packets = joinPackets(packetsOf(sequence))
    const input = { recording_id: this.recordingId, sequence, packets, peak, rms: peak / 2 }
    const answer = await this.app.call('recordings.append', input).catch(() => null)
    if (answer?.ok !== true) return false
    this.acknowledged.add(sequence)
    this.#next += 1
    return true
  }

  async appendMany(count: number, peak?: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) if (!(await this.append(peak))) throw new Error('a record was refused')
  }

  /** Appends until a record is refused or the app is gone. Resolves once `count` more records are acknowledged. */
  async keepAppending(count: number): Promise<void> {
    await this.appendMany(count)
    void (async () => {
      while (await this.append());
    })()
  }

  /** As the window does when the app closes: sends its last records, then says so. */
  async handOver(lastRecords = 3): Promise<void> {
    await this.app.event('app.closing')
    await this.appendMany(lastRecords)
    await this.app.call('app.handedOver', {}).catch(() => null)
  }

  /** As a reloaded window does: it still knows its name and takes up the recording after what is on the disk. */
  async attach(gap: GapReason | null): Promise<void> {
    const window_id = (await this.app.ask('storage', 'window')) ?? 'another window'
    const input = { recording_id: this.recordingId, window_id, format, device_label: 'Test', gap }
    const { next_sequence } = await expectOk(this.app, 'recordings.attach', input)
    if (this.acknowledged.has(next_sequence)) throw new Error(`record ${next_sequence} was acknowledged and is asked for again`)
    this.#next = next_sequence
  }

  finish(): Promise<Recording> {
    return expectOk(this.app, 'recordings.finish', { recording_id: this.recordingId })
  }
}

export interface Kept {
  /** When the profile was opened again. */
  readonly state: Recording['state']
  readonly acknowledged: number
  /** Acknowledged records that are in the recording, byte for byte. */
  readonly kept: number
  readonly gaps: Recording['gaps']
}

/** Opens the profile in a new start of the app and looks for every acknowledged record. */
export async function reopen({ app: { profile }, sessionId, recordingId, acknowledged }: Ledger): Promise<Kept> {
  const app = startApp({ profile })
  try {
    await app.until('page')
    await expectOk(app, 'vault.unlock', { passphrase })
    const recording = await expectOk(app, 'recordings.get', { session_id: sessionId })
    if (recording === null) throw new Error('the recording is gone')
    const finished =
      recording.state === 'finished' ? recording : await expectOk(app, 'recordings.finish', { recording_id: recordingId })
    const { status, body } = await app.ask('request', {
      url: `app://afterword${recordingPath(recordingId)}`,
      resourceType: 'media',
    })
    if (status !== 200) throw new Error(`the sound answers ${status}`)
    const packets = demux(Buffer.from(body)).packets.slice(2)
    const isKept = (sequence: number): boolean =>
      Buffer.concat(packets.slice(sequence * 10, sequence * 10 + 10)).equals(Buffer.concat(packetsOf(sequence)))
    return {
      state: recording.state,
      acknowledged: acknowledged.size,
      kept: [...acknowledged].filter(isKept).length,
      gaps: finished.gaps,
    }
  } finally {
    await app.remove()
  }
}
