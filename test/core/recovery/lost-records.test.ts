import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Database, openedProfile, reopened, shown, signedWork, taken } from '../compare-kit.ts'
import { clientWithSession, type CoreKit, dialogue, type OpenCore } from '../core-kit.ts'

const both: Database[] = ['vault.db', 'service.db']

/** A session that both databases have, with a transcript and a signed note that only the newest have. */
async function withWork() {
  const { kit, opened: first } = await openedProfile()
  const { session } = await clientWithSession(first, 'Ida Brandt')
  let opened = await reopened(kit, first)
  const older = taken(kit, ...both)
  const content = new TextEncoder().encode(dialogue)
  const work = await signedWork(opened, 'Somebody Else')
  await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await opened.settled()
  opened = await reopened(kit, opened)
  return { kit, opened, older, session, work }
}

async function lostIn(opened: OpenCore): Promise<string[]> {
  const reports = await opened.call('recovery.reports', {})
  const items = reports.flatMap((report) => report.items.filter((item) => !item.is_recovered))
  return items
    .map(({ kind, client_name, is_signed, is_partial }) =>
      [is_signed ? 'signed' : '', kind, 'of', client_name, is_partial ? 'in part' : ''].filter(Boolean).join(' '),
    )
    .toSorted()
}

/** After the sessions of lost records were created again. */
async function openedWithLosses(kit: CoreKit): Promise<OpenCore> {
  const opened = await kit.open()
  await opened.until(async () => (await lostIn(opened)).some((line) => /note|addendum/.test(line)))
  return opened
}

async function readAll(opened: OpenCore): Promise<void> {
  for (const { id } of await opened.call('recovery.reports', {})) await opened.call('recovery.markRead', { id })
}

test('a report names the addenda of a signed note, and says that a lost note was signed', async () => {
  const { kit, opened: first, older, work } = await withWork()
  await first.core.close()
  const newest = taken(kit, ...both)
  older.putBack()
  let opened = await openedWithLosses(kit)
  expect(await lostIn(opened)).toContain('signed note of Somebody Else')
  await opened.core.close()

  newest.putBack()
  opened = await kit.open()
  for (const text of ['First.', 'Second.'])
    await opened.call('notes.addAddendum', { id: work.note_id, text, reason: 'Left out.' })
  await opened.settled()
  await opened.core.close()
  newest.putBack()
  opened = await openedWithLosses(kit)
  expect((await lostIn(opened)).filter((line) => line.includes('Somebody'))).toEqual([
    'addendum of Somebody Else',
    'addendum of Somebody Else',
  ])
  expect(await lostOf(opened, work.session_id)).toMatchObject([{ kind: 'addendum', count: 2 }])
  await opened.core.close()
})

async function lostOf(opened: OpenCore, sessionId: string) {
  const parts = await opened.call('recovery.lostParts', {})
  return parts.filter(({ session_id }) => session_id === sessionId).map(({ session_id, ...part }) => part)
}

test('a session says what it lost, also after the report was read, until that is back or written again', async () => {
  const { kit, opened: first, older, session, work } = await withWork()
  const before = await shown(first, work)
  await first.core.close()
  const newest = taken(kit, ...both)
  older.putBack()
  let opened = await openedWithLosses(kit)
  const [report] = await opened.call('recovery.reports', {})
  await readAll(opened)
  opened = await reopened(kit, opened)
  expect(await lostOf(opened, work.session_id)).toEqual([
    { kind: 'note', count: 1, is_partial: false, is_signed: true, at: report!.at },
    { kind: 'transcript', count: 1, is_partial: false, is_signed: false, at: report!.at },
  ])
  expect(await lostOf(opened, session.id)).toMatchObject([{ kind: 'transcript' }])
  const content = new TextEncoder().encode(dialogue)
  await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  expect(await lostOf(opened, session.id)).toEqual([])
  await opened.call('recovery.removeRead', { id: report!.id })
  expect(await lostOf(opened, work.session_id)).toEqual([])
  await opened.core.close()

  newest.putBack()
  opened = await kit.open()
  expect(await shown(opened, work)).toEqual(before)
  expect(await lostOf(opened, work.session_id)).toEqual([])
  await opened.core.close()
})

test('a session whose lost records came back from the other database says nothing', async () => {
  const { kit, opened: first, older, work } = await withWork()
  await first.core.close()
  const whole = taken(kit, 'service.db')
  older.putBack()
  let opened = await openedWithLosses(kit)
  await readAll(opened)
  expect(await lostOf(opened, work.session_id)).toHaveLength(2)
  await opened.core.close()
  whole.putBack()
  opened = await kit.open()
  expect((await opened.call('notes.get', { session_id: work.session_id })).note?.status).toBe('signed')
  expect(await opened.call('recovery.lostParts', {})).toEqual([])
  await opened.core.close()
})

test('lost records are named again after another older copy was put back, unless their report was deleted', async () => {
  const { kit, opened: first, older } = await withWork()
  await first.core.close()
  older.putBack()
  let opened = await openedWithLosses(kit)
  const lost = (await lostIn(opened)).filter((line) => !line.endsWith('in part'))
  expect(lost).toContain('signed note of Somebody Else')
  await readAll(opened)
  // Nothing new was lost, so nothing is said again.
  opened = await reopened(kit, opened)
  expect(await lostIn(opened)).toEqual([])
  await opened.core.close()

  older.putBack()
  opened = await openedWithLosses(kit)
  expect(await lostIn(opened)).toEqual(expect.arrayContaining(lost))
  await readAll(opened)
  for (const { id } of await opened.call('recovery.readReports', {})) await opened.call('recovery.removeRead', { id })
  await opened.core.close()

  older.putBack()
  opened = await kit.open()
  await opened.settled()
  opened = await reopened(kit, opened)
  expect((await lostIn(opened)).filter((line) => /note|transcript/.test(line))).toEqual([])
  await opened.core.close()
})

test.each([
  ['was older', 'behind'],
  ['was missing', 'missing'],
])('once the right file is back and both match, the report that service.db %s says that it is solved', async (_, cause) => {
  const { kit, opened: first, older } = await withWork()
  await first.core.close()
  const newest = [taken(kit, 'service.db'), taken(kit, 'vault.db')] as const
  older.putBack()
  newest[1].putBack()
  if (cause === 'missing') for (const end of ['', '-wal']) rmSync(join(kit.folder, `service.db${end}`), { force: true })
  let opened = await kit.open()
  await opened.settled()
  expect(await opened.call('recovery.reports', {})).toMatchObject([{ file: 'service', cause, solved_at: null }])
  await opened.core.close()
  newest[0].putBack()
  opened = await kit.open()
  await opened.settled()
  expect(await opened.call('recovery.reports', {})).toMatchObject([{ file: 'service', cause, solved_at: expect.any(String) }])
  await opened.core.close()
})

test('a report that names something lost is solved only when that is back', async () => {
  const { kit, opened: first } = await openedProfile()
  const { client } = await clientWithSession(first, 'Ida Brandt')
  let opened = await reopened(kit, first)
  const older = taken(kit, ...both)
  const participant = { name: 'Ida Brandt', role: 'client' } as const
  const how = { text_version: '1', method: 'spoken' } as const
  await opened.call('consents.give', { client_id: client.id, participant, scopes: ['analyze'], ...how })
  await opened.settled()
  await opened.core.close()
  const whole = taken(kit, 'service.db')
  older.putBack()
  opened = await reopened(kit, await kit.open())
  expect(await lostIn(opened)).toEqual(['consent of Ida Brandt'])
  expect(await opened.call('recovery.reports', {})).toMatchObject([{ file: 'vault', solved_at: null }])
  await opened.core.close()
  whole.putBack()
  opened = await reopened(kit, await kit.open())
  expect(await lostIn(opened)).toEqual([])
  expect(await opened.call('recovery.reports', {})).toMatchObject([{ file: 'vault', solved_at: expect.any(String) }])
  await opened.core.close()
})

test.each(['no', 'a foreign'])(
  'an app that opens empty with %s inventory reports the missing file and the list',
  async (which) => {
    const { kit, opened } = await withWork()
    await opened.core.close()
    for (const name of ['vault.db', 'vault.db-wal', 'service.db', 'service.db-wal'])
      rmSync(join(kit.folder, name), { force: true })
    for (const path of [join(kit.folder, 'inventory.aw'), join(kit.folder, 'recordings', 'inventory.aw')])
      if (which === 'no') rmSync(path)
      else writeFileSync(path, Buffer.alloc(4096, 0x5a))
    const empty = await kit.open()
    expect(await empty.call('clients.list', {})).toEqual([])
    await readAll(empty)
    const again = await reopened(kit, empty)
    const reports = await again.call('recovery.readReports', {})
    expect(reports).toMatchObject([{ file: 'vault', cause: 'missing', solved_at: null }])
    expect(reports[0]!.items.filter(({ is_recovered }) => !is_recovered).map(({ kind }) => kind)).toContain('list')
    await again.core.close()
  },
)
