/** A small profile made by the real core, and what it acknowledged while it was made: the only truth the damage table knows. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Note } from '#contract/model/note.ts'
import type { Recording } from '#contract/model/recording.ts'
import { clientWithSession, type CoreKit, coreKit, createProfile, dialogue, type OpenCore } from '#test/core/core-kit.ts'
import { looked } from '#test/core/looked.ts'
import { format, packet } from '#test/core/recordings/recording-kit.ts'
import { joinPackets } from '#core/recordings/opus-packets.ts'
import { type MemoryKeychain, memoryKeychain } from '#test/support/memory-keychain.ts'

export type Kind =
  | 'client'
  | 'consent'
  | 'session'
  | 'transcript'
  | 'signed note'
  | 'unsigned note'
  | 'recording'
  | 'details of a recording'
  | 'cancellation'
  | 'settings'
  | 'new work'
  | 'recovery code'

/** One acknowledged fact. `id` finds it again; `value` is how `damage-oracle.ts` reads it. */
export interface Acknowledged {
  readonly kind: Kind
  readonly client: string
  readonly id: string
  readonly value: string
}

export interface MadeProfile {
  /** As a kill leaves it, with both journals. */
  readonly killed: string
  /** As the app leaves it when it is closed. */
  readonly closed: string
  /** Files of the day before under the same names; of journals and recordings, of minutes before. */
  readonly older: string
  /** Files of another therapist's profile. */
  readonly other: string
  readonly keychain: ReadonlyMap<string, Uint8Array>
  readonly ledger: readonly Acknowledged[]
  readonly recoveryCode: string
  /** File names inside `recordings/`. */
  readonly finished: string
  readonly earlier: string
  readonly unfinished: string
  remove(): void
}

const RECORDS = 25
const OLDER_RECORDS = 12

/** Packets that say which recording and which place they belong to. */
const contentOf = (take: number, sequence: number): number[] =>
  Array.from({ length: 10 }, (_, index) => take * 100_000 + sequence * 10 + index)

export const textOf = (note: Pick<Note, 'sections'>): string =>
  note.sections.flatMap(({ statements }) => statements.map(({ text }) => text)).join('\n')

interface Making {
  readonly kit: CoreKit
  readonly open: OpenCore
  readonly ledger: Acknowledged[]
}

export async function makeProfile(): Promise<MadeProfile> {
  const root = mkdtempSync(join(tmpdir(), 'afterword-damage-'))
  const place = (name: string): string => join(root, name)
  const keychain = memoryKeychain()
  const kit = coreKit({ folder: place('made') })
  mkdirSync(place('made'))
  const ledger: Acknowledged[] = []

  const first = await kit.open({ keychain })
  await createProfile(first)
  const { earlier, about } = await yesterday({ kit, open: first, ledger })
  await first.core.close()
  cpSync(place('made'), place('older'), { recursive: true })

  const second = await kit.open({ keychain })
  const files = await today({ kit, open: second, ledger }, about, () => copyMoving(place('made'), place('older')))
  const { recovery_code: recoveryCode } = await second.call('vault.newRecoveryCode', { proof: null })
  ledger.push({ kind: 'new work', client: '', id: '', value: 'is done' })
  ledger.push({ kind: 'recovery code', client: '', id: '', value: 'opens the records' })
  await second.settled()
  cpSync(place('made'), place('killed'), { recursive: true })
  await second.core.close()
  cpSync(place('made'), place('closed'), { recursive: true })
  for (const { recording_id } of kit.append.status()) kit.append.close(recording_id)
  await makeOther(place('other'), keychain)
  const accounts = new Map([...keychain.accounts].map(([account, secret]) => [account, Uint8Array.from(secret)]))
  return {
    killed: place('killed'),
    closed: place('closed'),
    older: place('older'),
    other: place('other'),
    keychain: accounts,
    ledger,
    recoveryCode,
    earlier,
    ...files,
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** One client whose work is done: recorded, transcribed, signed. A second who has only called. */
async function yesterday(making: Making) {
  const { open, ledger } = making
  await open.call('settings.update', { transcribe_when_finished: false })
  const about = await clientWithSession(open, 'Alma Reyes', Date.UTC(2026, 2, 2, 9))
  acknowledgeBooking(making, about)
  const earlier = await record(making, about.session, 'Alma Reyes', 1, RECORDS, true)
  await importWords(making, about.session.id, 'Alma Reyes')
  await sign(making, about.session.id, 'Alma Reyes')
  await acknowledgeDetails(making, about.session.id, 'Alma Reyes')
  const second = await open.call('clients.create', { display_name: 'Bela Novak' })
  ledger.push({ kind: 'client', client: 'Bela Novak', id: second.id, value: 'Bela Novak, no phone' })
  await open.settled()
  return { earlier, about }
}

/** Two more clients: an unsigned note, a signed one, a finished recording and one that is cut off; and two changes. */
async function today(making: Making, before: Awaited<ReturnType<typeof clientWithSession>>, copyOlder: () => void) {
  const { open, ledger } = making
  const third = await clientWithSession(open, 'Cora Lind', Date.UTC(2026, 2, 3, 9))
  acknowledgeBooking(making, third)
  await importWords(making, third.session.id, 'Cora Lind')
  const finished = await record(making, third.session, 'Cora Lind', 2, OLDER_RECORDS, false)
  copyOlder()
  await recordMore(making, finished, 'Cora Lind', 2, OLDER_RECORDS, RECORDS)
  await open.call('recordings.finish', { recording_id: finished.slice(0, -4) })
  await sign(making, third.session.id, 'Cora Lind')
  await acknowledgeDetails(making, third.session.id, 'Cora Lind')
  await cancelSession(making, third.client.id, 'Cora Lind')

  const fourth = await clientWithSession(open, 'Dana Okafor', Date.UTC(2026, 2, 3, 11))
  acknowledgeBooking(making, fourth)
  await importWords(making, fourth.session.id, 'Dana Okafor')
  const draft = await written(making, fourth.session.id)
  ledger.push({ kind: 'unsigned note', client: 'Dana Okafor', id: fourth.session.id, value: textOf(draft) })
  const unfinished = await record(making, fourth.session, 'Dana Okafor', 3, OLDER_RECORDS, false)
  copyOlder()
  await recordMore(making, unfinished, 'Dana Okafor', 3, OLDER_RECORDS, RECORDS)
  await open.call('recordings.active', {}) // as once a second while it runs

  await open.call('clients.update', { id: before.client.id, version: 1, patch: { phone: '5550100' } })
  replace(ledger, { kind: 'client', client: 'Alma Reyes', id: before.client.id, value: 'Alma Reyes, 5550100' })
  await open.call('settings.update', { practice_name: 'Quiet Street Practice' })
  ledger.push({ kind: 'settings', client: '', id: '', value: 'Dr. Ana Ruiz, Quiet Street Practice' })
  return { finished, unfinished }
}

function acknowledgeBooking(
  { ledger }: Making,
  { client, consent, session }: Awaited<ReturnType<typeof clientWithSession>>,
): void {
  const name = client.display_name
  ledger.push({ kind: 'client', client: name, id: client.id, value: `${name}, no phone` })
  ledger.push({ kind: 'consent', client: name, id: client.id, value: `${consent.id} valid` })
  ledger.push({ kind: 'session', client: name, id: session.id, value: `${session.starts_at} with ${client.id}` })
}

async function acknowledgeDetails({ open, ledger }: Making, session_id: string, client: string): Promise<void> {
  const recording = await open.call('recordings.get', { session_id })
  ledger.push({ kind: 'details of a recording', client, id: session_id, value: detailsOf(recording!) })
}

export const detailsOf = ({ state, device_label, finished_at, saved_ms }: Recording): string =>
  [state, device_label, finished_at, saved_ms].join(', ')

async function cancelSession({ open, ledger }: Making, client_id: string, client: string): Promise<void> {
  const draft = { session_type: 'individual', starts_at: '2026-03-10T09:00:00.000Z', duration_minutes: 50 } as const
  const { id, version } = await open.call('sessions.create', { client_id, ...draft })
  await open.call('sessions.cancel', { id, version, is_late: true, reason: 'Has the flu', is_deleted: false })
  ledger.push({ kind: 'cancellation', client, id, value: 'late: Has the flu' })
}

function replace(ledger: Acknowledged[], changed: Acknowledged): void {
  const at = ledger.findIndex(({ kind, id }) => kind === changed.kind && id === changed.id)
  ledger[at] = changed
}

async function importWords({ open, ledger }: Making, session_id: string, client: string): Promise<void> {
  const content = new TextEncoder().encode(`${dialogue}\nClient: My name is ${client}.`)
  const transcript = await open.call('transcripts.import', { session_id, file_name: 'a.txt', content })
  ledger.push({ kind: 'transcript', client, id: session_id, value: transcript.segments.map(({ text }) => text).join('\n') })
}

/** Drafted by the rules, then looked at and saved. */
async function written({ open }: Making, session_id: string): Promise<Note> {
  await open.call('notes.draft', { session_id, template: 'soap' })
  await open.settled()
  const draft = (await open.call('notes.get', { session_id })).note!
  return open.call('notes.save', { id: draft.id, version: draft.version, ...looked(draft) })
}

async function sign(making: Making, session_id: string, client: string): Promise<void> {
  const { id, version } = await written(making, session_id)
  const { signature } = await making.open.call('notes.sign', { id, version })
  making.ledger.push({ kind: 'signed note', client, id: session_id, value: `${signature!.content_hash}, intact` })
}

/** @returns the name of its file */
async function record(
  making: Making,
  { id: session_id }: { readonly id: string },
  client: string,
  take: number,
  records: number,
  isWhole: boolean,
): Promise<string> {
  const asked = { session_id, window_id: 'window-1', format, device_label: 'Mic' }
  const { recording_id } = await making.open.call('recordings.start', asked)
  making.ledger.push({ kind: 'recording', client, id: session_id, value: '' })
  await recordMore(making, `${recording_id}.afr`, client, take, 0, records)
  if (isWhole) await making.open.call('recordings.finish', { recording_id })
  return `${recording_id}.afr`
}

async function recordMore({ kit, ledger }: Making, file: string, client: string, take: number, from: number, to: number) {
  const recording_id = file.slice(0, -'.afr'.length)
  for (let sequence = from; sequence < to; sequence += 1) {
    const packets = joinPackets(contentOf(take, sequence).map((content) => packet(content)))
    kit.append.append({ recording_id, sequence, packets, peak: 0.5, rms: 0.1 })
  }
  const said = Array.from({ length: to }, (_, sequence) => contentOf(take, sequence)).flat()
  const at = ledger.findIndex((one) => one.kind === 'recording' && one.client === client)
  ledger[at] = { ...ledger[at]!, value: said.join(' ') }
}

/** Files that change while the app is open; the first copy of each stays. */
function copyMoving(made: string, older: string): void {
  for (const name of ['vault.db-wal', 'vault.db-shm', 'service.db-wal', 'recordings'])
    cpSync(join(made, name), join(older, name), { recursive: true, force: false })
}

/** As a kill leaves it, so that it has journals. */
async function makeOther(folder: string, keychain: MemoryKeychain): Promise<void> {
  const made = `${folder}-open`
  mkdirSync(made)
  const own = memoryKeychain(new Map(keychain.accounts))
  const kit = coreKit({ folder: made })
  const first = await kit.open({ keychain: own })
  await createProfile(first)
  await first.core.close()
  const open = await kit.open({ keychain: own })
  await clientWithSession(open, 'Ines Duarte', Date.UTC(2026, 2, 5, 9))
  await open.settled()
  cpSync(made, folder, { recursive: true })
  await open.core.close()
}
