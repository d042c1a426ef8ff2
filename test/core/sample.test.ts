import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordingPath } from '#contract/bridge/library.ts'
import { coreKit, type CoreKit, type OpenCore } from './core-kit.ts'

const sampleIds = { client: '01900000-5a3e-7000-8000-000000000001', recording: '01900000-5a3e-7000-8000-000000000004' }

let kit: CoreKit
let open: OpenCore

beforeEach(async () => {
  kit = coreKit()
  open = await kit.open()
  await open.call('vault.create', { protection: 'keychain', therapist_name: 'Robin Kay', therapist_credential: null })
})
afterEach(async () => {
  await open.core.close()
  kit.remove()
})

const recordingFile = (): string => join(kit.folder, 'recordings', `${sampleIds.recording}.afr`)

test('the sample is a finished session: its sound plays, its transcript has two speakers, its signed note has evidence', async () => {
  const { session_id } = await open.call('sample.add', {})
  const row = await open.call('sessions.get', { id: session_id })
  expect(row).toMatchObject({ client_name: 'Alex Sample (fictitious)', owes_note: false, transcript: { present: true } })
  expect(row.consent.granted).toEqual(expect.arrayContaining(['record', 'transcribe', 'draft']))
  expect(row.note).toMatchObject({ status: 'signed', to_check: 0 })
  const { transcript } = await open.call('transcripts.get', { session_id })
  expect(transcript?.speakers.map(({ role }) => role)).toEqual(['therapist', 'client'])
  const recording = await open.call('recordings.get', { session_id })
  expect(recording).toMatchObject({ state: 'finished', gaps: [] })
  expect(Math.abs(recording!.saved_ms - transcript!.duration_ms!)).toBeLessThan(1500)
  const sound = await open.core.media(new Request(`http://core${recordingPath(recording!.id)}`))
  const bytes = Buffer.from(await sound.arrayBuffer())
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('OggS')
  const { note } = await open.call('notes.get', { session_id })
  const said = new Map(transcript!.segments.map(({ id, text }) => [id, text]))
  const evidence = note!.sections.flatMap(({ statements }) => statements).flatMap((statement) => statement.evidence)
  expect(evidence.length).toBeGreaterThan(8)
  for (const { segment_id, quote } of evidence) expect(said.get(segment_id)).toContain(quote)
  expect(await open.call('notes.verify', { id: note!.id })).toEqual({ intact: true })
  expect((await open.call('search.find', { q: 'diary' })).words).not.toEqual([])
})

const consentTo = (client: { id: string; display_name: string }) => ({
  client_id: client.id,
  participant: { name: client.display_name, role: 'client' as const },
  scopes: ['analyze' as const],
  text_version: '1',
  method: 'spoken' as const,
})

/** Without the count of calls, which reading them raises. */
async function figures(): Promise<object> {
  const { analytics } = await open.call('figures.read', { period: 'four_weeks' })
  return { ...analytics, totals: { ...analytics.totals, quota_used_today: null } }
}

test('the sample is never sent, whatever is changed on it, and no report counts it', async () => {
  const before = await figures()
  const { session_id } = await open.call('sample.add', {})
  const { client } = await open.call('clients.get', { id: sampleIds.client })
  await open.call('clients.update', { id: client.id, version: client.version, patch: { pronouns: 'she/her' } })
  const { transcript } = await open.call('transcripts.get', { session_id })
  const segments = transcript!.segments.map((segment, index) => (index === 0 ? { ...segment, text: 'Welcome.' } : segment))
  await open.call('transcripts.save', { session_id, version: transcript!.version, speakers: transcript!.speakers, segments })
  expect(await open.call('outbox.list', {})).toEqual([])
  expect(await open.call('sessions.unfinished', { limit: 100 })).toEqual({ count: 0, rows: [] })
  expect(await figures()).toEqual(before)
  await open.call('consents.give', consentTo(client))
  await expect(open.call('insights.request', { session_id })).rejects.toMatchObject({ code: 'conflict' })
  const again = { client_id: client.id, session_type: 'individual', starts_at: '2030-01-01T10:00:00Z' } as const
  const details = { duration_minutes: 50, time_zone: 'UTC' }
  await expect(open.call('sessions.create', { ...again, ...details })).rejects.toMatchObject({ code: 'conflict' })
})

test('after a restart the sample is there and nothing is called lost; removed, nothing of it is left', async () => {
  await open.call('sample.add', {})
  await open.core.close()
  open = await kit.open()
  expect(await open.call('recovery.reports', {})).toEqual([])
  expect(await open.call('outbox.list', {})).toEqual([])
  expect((await open.call('clients.list', {})).map(({ client }) => client.id)).toEqual([sampleIds.client])
  await open.call('sample.remove', {})
  expect(await open.call('clients.list', {})).toEqual([])
  expect(await open.call('sessions.list', {})).toEqual([])
  expect((await open.call('search.find', { q: 'diary' })).words).toEqual([])
  expect(existsSync(recordingFile())).toBe(false)
  await open.core.close()
  open = await kit.open()
  expect(await open.call('recovery.reports', {})).toEqual([])
  expect(await open.call('recovery.lostParts', {})).toEqual([])
  expect(await open.call('recordings.recoverable', {})).toEqual([])
  // It can be added again, and adding it twice finds it.
  await open.call('sample.add', {})
  await open.call('sample.add', {})
  expect(await open.call('clients.list', {})).toHaveLength(1)
})

test('the recording of the sample is encrypted like any other', async () => {
  await open.call('sample.add', {})
  const packets = readFileSync(join(import.meta.dirname, '../../resources/sample/session.packets'))
  expect(readFileSync(recordingFile()).includes(packets.subarray(100, 140))).toBe(false)
})

test('a practice’s server never gets the sample: it is removed before one is used, and refused then', async () => {
  await open.call('sample.add', {})
  await open.call('settings.update', { service_address: 'https://practice.example/v1' })
  expect(await open.call('clients.list', {})).toEqual([])
  await expect(open.call('sample.add', {})).rejects.toMatchObject({ code: 'conflict' })
})
