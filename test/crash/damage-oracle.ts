/** Opens a damaged profile the way a therapist can, and compares what comes back with what was acknowledged. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { recordingPath } from '#contract/bridge/library.ts'
import type { RecoveryReport } from '#contract/bridge/recovery.ts'
import { AppError } from '#contract/errors.ts'
import { clientWithSession, type CoreKit, coreKit, dialogue, type OpenCore } from '#test/core/core-kit.ts'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import { demux } from '#test/support/ogg-pages.ts'
import { type Acknowledged, detailsOf, type Kind, type MadeProfile, textOf } from './damage-profile.ts'

/**
 * `whole`: everything acknowledged is there. `reported`: something is missing and the app says so without being asked.
 * `silent`: something is missing or different and nothing says so. `dead end`: the records cannot be opened. `needs a file`: no
 * file on the disk opens them, the app names the files that do, and with one of them put back everything is there.
 */
export type Outcome = 'whole' | 'reported' | 'needs a file' | 'silent' | 'dead end'

export interface Found {
  readonly outcome: Outcome
  readonly missing: readonly string[]
  readonly shown: readonly string[]
}

export async function openDamaged(folder: string, made: MadeProfile, openedAt = new Date().toISOString()): Promise<Found> {
  const found = await openAsItIs(folder, made, openedAt)
  if (found.outcome !== 'dead end' || !found.shown.some((line) => namesAKeyFile.has(line))) return found
  copyFileSync(join(made.closed, 'vault.json'), join(folder, 'vault.json'))
  const { outcome } = await openAsItIs(folder, made, openedAt)
  return outcome === 'whole' ? { ...found, outcome: 'needs a file', missing: [] } : found
}

/** Screens that ask for vault.json. */
const namesAKeyFile: ReadonlySet<string> = new Set(['screen: keys-missing', 'screen: key-gone', 'screen: keys-mismatch'])

async function openAsItIs(folder: string, made: MadeProfile, openedAt: string): Promise<Found> {
  const kit = coreKit({ folder })
  const keychain = memoryKeychain(new Map([...made.keychain].map(([account, secret]) => [account, Uint8Array.from(secret)])))
  let open: OpenCore
  try {
    open = await kit.open({ keychain })
  } catch (error) {
    return { outcome: 'dead end', missing: ['everything'], shown: [`does not start: ${codeOf(error)}`] }
  }
  try {
    const shown = await enter(open, made.recoveryCode)
    if (open.core.state().phase !== 'ready') return { outcome: 'dead end', missing: ['everything'], shown }
    await settled(open)
    await checked(open, made, openedAt)
    await reported(open, kit)
    return await compare(open, made, shown)
  } finally {
    await open.core.close()
    for (const { recording_id } of kit.append.status()) kit.append.close(recording_id)
  }
}

/** Everything a person can try on the screens before the records: try again, then the recovery code. */
async function enter(open: OpenCore, recovery_code: string): Promise<string[]> {
  const shown: string[] = []
  const note = (): void => {
    const { phase, trouble } = open.core.state()
    if (phase !== 'ready') shown.push(trouble === null ? `screen: ${phase}` : `screen: ${trouble}`)
  }
  note()
  for (const attempt of [() => open.call('vault.retry', {}), () => open.call('vault.unlock', { recovery_code })]) {
    if (open.core.state().phase === 'ready') break
    await attempt().catch((error: unknown) => shown.push(`error: ${codeOf(error)}`))
    note()
  }
  return [...new Set(shown)]
}

async function compare(open: OpenCore, made: MadeProfile, before: readonly string[]): Promise<Found> {
  const said = await whatIsSaid(open, made)
  const missing: Acknowledged[] = []
  const descriptions: string[] = []
  for (const fact of made.ledger) {
    const found = await readAfterComparison(open, made, fact)
    if (found === fact.value) continue
    missing.push(fact)
    descriptions.push(missingOf(fact, found))
  }
  const reports = await reportsNaming(open, said, missing)
  const isSilent = !missing.every((fact) => isToldOf({ ...said, reports }, fact))
  const outcome = isSilent ? 'silent' : missing.length > 0 ? 'reported' : 'whole'
  return { outcome, missing: descriptions, shown: [...before, ...said.lines, ...linesOf(reports)] }
}

/** The comparison of the databases can end after sync has come to rest. Its report must come without a further call. */
async function reportsNaming(open: OpenCore, said: Said, missing: readonly Acknowledged[]): Promise<readonly RecoveryReport[]> {
  let { reports } = said
  const isTold = (): boolean => missing.every((fact) => isToldOf({ ...said, reports }, fact))
  if (isTold()) return reports
  await vi
    .waitUntil(async () => ((reports = await open.call('recovery.reports', {})), isTold()), { timeout: 5000 })
    .catch(() => false)
  return reports
}

/** Sync has come to rest: the rest of it waits for the therapist, or could not be sent. */
async function settled(open: OpenCore): Promise<void> {
  await open.until(async () => {
    const { sending, phase } = await open.call('outbox.status', {})
    if (sending) return false
    if (phase === 'backing_off' || phase === 'offline') return true
    const items = await open.call('outbox.list', {})
    return items.every(({ state, waits_for }) => state === 'needs_you' || waits_for.some(({ needs_you }) => needs_you))
  })
}

/** After sessions were recreated and pushed, the service is asked for what it still has of them. Then the rest is reported. */
async function reported(open: OpenCore, { events }: CoreKit): Promise<void> {
  const changes = (): string[] =>
    events.flatMap(({ name, payload }) => (name === 'records.changed' ? (payload as { kinds: string[] }).kinds.join() : []))
  const recreated = changes().indexOf('clients,sessions,recordings,recovery')
  if (recreated >= 0) await open.until(async () => changes().includes('recovery', recreated))
}

/** The background has read the files of finished recordings. */
async function checked(open: OpenCore, made: MadeProfile, since: string): Promise<void> {
  for (const { kind, id } of made.ledger) {
    if (kind !== 'recording') continue
    await open.until(async () => {
      const recording = await open.call('recordings.get', { session_id: id }).catch(() => null)
      return recording?.state !== 'finished' || (recording.checked_at ?? '') >= since
    })
  }
}

interface Said {
  readonly lines: readonly string[]
  /** Clients whose recording is shown as damaged. */
  readonly recordings: ReadonlySet<string>
  readonly reports: readonly RecoveryReport[]
}

/** What the screens show before a recording is played or a record is opened. */
async function whatIsSaid(open: OpenCore, made: MadeProfile): Promise<Said> {
  const lines: string[] = []
  const recordings = new Set<string>()
  for (const { client_name, unreadable_ms } of await open.call('recordings.damaged', {})) {
    recordings.add(client_name)
    lines.push(`damaged recording of ${client_name}: ${(unreadable_ms / 1000).toFixed(1)} s`)
  }
  for (const { kind, client, id } of made.ledger) {
    if (kind !== 'recording' || recordings.has(client)) continue
    const recording = await open.call('recordings.get', { session_id: id }).catch(() => null)
    if (recording?.gaps.some(({ reason }) => reason === 'damage') !== true) continue
    recordings.add(client)
    lines.push(`recording of ${client}: damage`)
  }
  const recoverable = await open.call('recordings.recoverable', {})
  for (const { client_name } of recoverable) lines.push(`interrupted recording of ${client_name || 'no name'}`)
  const { needs_you, phase } = await open.call('outbox.status', {})
  if (needs_you > 0) lines.push('sync queue: needs attention')
  if (phase !== 'saved') lines.push(`sync: ${phase}`)
  return { lines, recordings, reports: await open.call('recovery.reports', {}) }
}

const places: readonly RecoveryReport['file'][] = ['vault', 'service', 'keys', 'recordings']

const linesOf = (reports: readonly RecoveryReport[]): string[] =>
  reports
    .toSorted((left, right) => places.indexOf(left.file) - places.indexOf(right.file))
    .map(({ file, cause, items }) => {
      const isListing = items.some(({ kind, is_recovered }) => !is_recovered && kind !== 'other' && kind !== 'list')
      const isUnlisted = items.some(({ kind }) => kind === 'list')
      return `report: ${file} ${cause}${isListing ? ', with a list of what is missing' : ''}${isUnlisted ? ', more may be missing' : ''}`
    })

/** Whether what the screens show names this fact as lost, or says that more may be, or that nothing could be read of its file. */
function isToldOf({ recordings, reports }: Said, { kind, client }: Acknowledged): boolean {
  if (kind === 'recording' && recordings.has(client)) return true
  if (kind === 'recovery code') return reports.some(({ file }) => file === 'keys')
  const named = kind === 'cancellation' ? 'session' : kind.replace(/^(un)?signed |^details of a /, '')
  return reports.some(({ items, cause, pages, unreadable_pages }) => {
    if (cause !== 'behind' && pages === unreadable_pages && items.some((item) => item.kind === 'other' && !item.is_recovered))
      return true
    if (items.some((item) => item.kind === 'list' || item.kind === `${named}s`)) return true
    return items.some(
      (item) =>
        item.kind === named && !item.is_recovered && (client === '' || item.client_name === null || item.client_name === client),
    )
  })
}

function missingOf({ kind, client, value }: Acknowledged, found: string): string {
  const of = client === '' ? '' : ` of ${client}`
  if (kind !== 'recording' || !/^\d/.test(found)) return `${kind}${of}${found.startsWith('not read') ? '' : ' (changed)'}`
  const expected = value.split(' ')
  const played = found.split(' ')
  const kept = new Set(expected)
  const isOwn = played.every((content) => kept.has(content)) && new Set(played).size === played.length
  return `recording${of} (${isOwn ? `${seconds(played)} of ${seconds(expected)}` : 'other sound'})`
}

const seconds = (packets: readonly string[]): string => `${(packets.length * 0.02).toFixed(1)} s`

const onlyInVault: ReadonlySet<Kind> = new Set(['cancellation', 'details of a recording'])

/** What only the vault had is restored when the comparison has ended, which can be after sync has come to rest. */
async function readAfterComparison(open: OpenCore, made: MadeProfile, fact: Acknowledged): Promise<string> {
  let found = await readAs(open, made, fact)
  const isBack = async (): Promise<boolean> => (found = await readAs(open, made, fact)) === fact.value
  if (onlyInVault.has(fact.kind)) await vi.waitUntil(isBack, { timeout: 5000 }).catch(() => false)
  return found
}

async function readAs(open: OpenCore, made: MadeProfile, { kind, id }: Acknowledged): Promise<string> {
  try {
    return await readers[kind](open, id, made)
  } catch (error) {
    return `not read: ${codeOf(error)}`
  }
}

const readers: Record<Kind, (open: OpenCore, id: string, made: MadeProfile) => Promise<string>> = {
  async client(open, id) {
    const { client } = await open.call('clients.get', { id })
    return `${client.display_name}, ${client.phone ?? 'no phone'}`
  },
  async consent(open, client_id) {
    const given = await open.call('consents.list', { client_id })
    if (given.length === 0) throw new AppError('not-found')
    return given.map(({ id, revoked_at }) => `${id} ${revoked_at === null ? 'valid' : 'revoked'}`).join(', ')
  },
  async session(open, id) {
    const { session } = await open.call('sessions.get', { id })
    return `${session.starts_at} with ${session.client_id}`
  },
  async transcript(open, session_id) {
    const { transcript } = await open.call('transcripts.get', { session_id })
    return required(transcript)
      .segments.map(({ text }) => text)
      .join('\n')
  },
  async 'signed note'(open, session_id) {
    const { id, signature } = required((await open.call('notes.get', { session_id })).note)
    const { intact } = await open.call('notes.verify', { id })
    return `${required(signature).content_hash}, ${intact ? 'intact' : 'not intact'}`
  },
  async 'unsigned note'(open, session_id) {
    return textOf(required((await open.call('notes.get', { session_id })).note))
  },
  async recording(open, session_id) {
    const { id, state } = required(await open.call('recordings.get', { session_id }))
    if (state === 'interrupted') await open.call('recordings.finish', { recording_id: id })
    const response = await open.core.media(new Request(`http://localhost${recordingPath(id)}`))
    if (!response.ok) throw new AppError('recording-damaged')
    const { packets } = demux(Buffer.from(await response.arrayBuffer()))
    // Silence stands for what was lost.
    const sound = packets.slice(2).filter((packet) => packet.length === 67)
    if (sound.length === 0) throw new AppError('recording-damaged')
    return sound.map((packet) => packet.readUInt32BE(1)).join(' ')
  },
  async 'details of a recording'(open, session_id) {
    return detailsOf(required(await open.call('recordings.get', { session_id })))
  },
  async cancellation(open, id) {
    const { cancellation } = await open.call('sessions.get', { id })
    return `${required(cancellation).is_late ? 'late' : 'in time'}: ${required(cancellation).reason}`
  },
  async settings(open) {
    const { therapist_name, practice_name } = await open.call('settings.get', {})
    return `${therapist_name}, ${practice_name}`
  },
  /** A new client, a note, and both in the service. */
  async 'new work'(open) {
    const { session } = await clientWithSession(open, 'Esra Aydin', Date.UTC(2026, 2, 4, 9))
    const content = new TextEncoder().encode(dialogue)
    await open.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
    await open.call('notes.draft', { session_id: session.id, template: 'soap' })
    await settled(open)
    required((await open.call('notes.get', { session_id: session.id })).note)
    return 'is done'
  },
  async 'recovery code'(open, _, { recoveryCode }) {
    await open.call('vault.lock', {})
    await open.call('vault.unlock', { recovery_code: recoveryCode })
    return 'opens the records'
  },
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new AppError('not-found')
  return value
}

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : 'internal')
