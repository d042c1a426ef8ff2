/** What an upload costs a recording that goes on meanwhile, and what it costs on the wire. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Answer } from '#contract/bridge/method.ts'
import type { MethodInput, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import { joinPackets } from '#core/recordings/opus-packets.ts'
import { startCore } from '#shell/core-host.ts'
import { freshFolder, startAlone } from '#test/service/alone-kit.ts'
import { chaosProxy } from '#test/support/chaos-proxy.ts'

const HOUR_RECORDS = 18_000
const PAUSE_MS = 20
const format = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 26_800, pre_skip: 312 } as const
const folder = mkdtempSync(join(tmpdir(), 'afterword-upload-bench-'))
const data = freshFolder()
const service = await startAlone(data.data, {}, ['--plan', 'enterprise'])
const line = await chaosProxy(Number(new URL(service.address).port), () => ({ kind: 'pass' }))

/** Where there is no keychain the app has no key: this front adds it. */
const front = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${service.ownerKey}` }
  const onward = ask({ port: line.port, host: '127.0.0.1', path: incoming.url, method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
})
await new Promise<void>((ready) => void front.listen(0, '127.0.0.1', ready))

const host = await startCore({
  folder,
  resources: resolve('resources'),
  shell: 'preview',
  app_version: '0.0.0',
  startLocked: false,
  passphraseFile: undefined,
  onEvent: () => {},
})
async function call<Name extends MethodName>(name: Name, input: MethodInput<Name>): Promise<MethodOutput<Name>> {
  const answer = (await host.call(name, input)) as Answer<MethodOutput<Name>>
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code}`)
  return answer.value
}

async function startRecording(name: string, hour: number) {
  const client = await call('clients.create', { display_name: name })
  const scopes = ['record', 'transcribe', 'draft'] as const
  const participant = { name, role: 'client' } as const
  await call('consents.give', { client_id: client.id, participant, scopes: [...scopes], text_version: '1', method: 'spoken' })
  const starts_at = new Date(Date.UTC(2024, 2, 4, hour)).toISOString()
  const session = await call('sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at,
    duration_minutes: 50,
  })
  const { recording_id } = await call('recordings.start', {
    session_id: session.id,
    window_id: 'window-one',
    format,
    device_label: 'Mic',
  })
  return { recording_id, session_id: session.id }
}

/** Milliseconds until it is acknowledged, as the window's worker sees it. */
async function append(recording_id: string, sequence: number): Promise<number> {
  const packets = joinPackets(Array.from({ length: 10 }, () => Buffer.concat([Buffer.from([0xf8]), randomBytes(66)])))
  const began = performance.now()
  await call('recordings.append', { recording_id, sequence, packets, peak: 0.5, rms: 0.1 })
  return performance.now() - began
}

const at = (values: readonly number[], share: number): string =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)]!.toFixed(1)
const say = (text: string): void => void process.stdout.write(`${text}\n`)

await call('vault.create', {
  protection: 'passphrase',
  passphrase: 'a long enough passphrase',
  therapist_name: 'A B',
  therapist_credential: null,
})
await call('settings.update', {
  service_address: `http://127.0.0.1:${(front.address() as AddressInfo).port}/v1`,
  transcribe_when_finished: false,
})
const long = await startRecording('First', 8)
for (let sequence = 0; sequence < HOUR_RECORDS; sequence += 1) await append(long.recording_id, sequence)
await call('recordings.finish', { recording_id: long.recording_id })
const { recording_id } = await startRecording('Second', 10)
let sequence = 0
const paced = async (until: () => Promise<boolean>): Promise<number[]> => {
  const took: number[] = []
  while (!(await until())) {
    took.push(await append(recording_id, sequence))
    sequence += 1
    await new Promise((pause) => setTimeout(pause, PAUSE_MS))
  }
  return took
}
const quiet = await paced(async () => sequence >= 300)
const before = line.seen.up
const began = performance.now()
await call('transcripts.request', { session_id: long.session_id })
let ended = 0
const isUp = async (): Promise<boolean> => {
  const item = (await call('outbox.list', {})).find(({ kind }) => kind === 'transcribe')
  const isOver = item === undefined || item.progress === 1 || item.state === 'needs_you'
  if (isOver) ended = performance.now()
  return isOver
}
const busy = await paced(isUp)
const up = line.seen.up - before
const payload = 18_000 * 10 * 67
say(
  `acknowledged, nothing else going on   median ${at(quiet, 0.5)} ms, 99 of 100 ${at(quiet, 0.99)} ms, longest ${at(quiet, 1)} ms (${quiet.length})`,
)
say(
  `acknowledged, an hour going up        median ${at(busy, 0.5)} ms, 99 of 100 ${at(busy, 0.99)} ms, longest ${at(busy, 1)} ms (${busy.length})`,
)
say(`an hour went up in                    ${((ended - began) / 1000).toFixed(1)} s`)
say(`bytes up against bytes of sound       ${(up / payload).toFixed(3)} (Ogg pages included)`)
await host.close()
await new Promise((closed) => (front.close(closed), front.closeAllConnections()))
await line.close()
await service.stop('SIGKILL')
data.remove()
rmSync(folder, { recursive: true })
