import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { silentLog } from '#base/log.ts'
import { systemClock } from '#base/clock.ts'
import type { ServiceFactory } from '#core/app/open-core.ts'
import { migrations } from '#core/vault/migrations.ts'
import { openVault } from '#core/vault/vault.ts'
import {
  flip,
  isComplete,
  killed,
  openedProfile,
  reopened,
  reported,
  shown,
  signedWork,
  taken,
  type Work,
} from './compare-kit.ts'
import { clientWithSession, type CoreKit, isOnPostgres, noService, type OpenCore, realService } from './core-kit.ts'
import { format, recordOf } from './recordings/recording-kit.ts'

/** A cut may fall between any two of the changes. */
const flips = process.env.AFTERWORD_FAULTS === 'full' ? Array.from({ length: 36 }, (_, index) => (index + 0.5) / 40) : [0.3]

const allOf = (name: string): string[] =>
  ['client', 'consent', 'note', 'session', 'transcript'].map((kind) => `${kind} of ${name}: true`)

/** Yesterday's work stands in the databases; today's in their journals alone, as a kill leaves them. */
async function killedWithWork(): Promise<{ kit: CoreKit; work: Work; before: unknown; yesterday: Work }> {
  const { kit, opened: first } = await openedProfile()
  const yesterday = await signedWork(first, 'Yesterday')
  const opened = await reopened(kit, first)
  const work = await signedWork(opened, 'Today')
  const before = await shown(opened, work)
  await killed(kit, opened)
  return { kit, work, before, yesterday }
}

async function expectRestored(kit: CoreKit, work: Work, before: unknown): Promise<OpenCore> {
  const opened = await kit.open()
  // What was on its way when the journal ends is sent first, and then compared.
  await opened.until(async () => isDeepStrictEqual(await shown(opened, work), before))
  await isComplete(opened)
  return opened
}

describe('a vault that lost signed work has it back at the next opening', () => {
  test('its journal is gone', async () => {
    const { kit, work, before, yesterday } = await killedWithWork()
    rmSync(join(kit.folder, 'vault.db-wal'))
    const opened = await expectRestored(kit, work, before)
    const items = [...allOf('Today'), 'list of null: false'].toSorted()
    expect((await reported(opened)).map((report) => report.items.toSorted())).toEqual([items])
    const again = await reopened(kit, opened)
    expect(await shown(again, work)).toEqual(before)
    expect((await reported(again)).length).toBe(1)
    expect((await again.call('clients.list', {})).map(({ client }) => client.id).toSorted()).toEqual(
      [work.client_id, yesterday.client_id].toSorted(),
    )
    await again.core.close()
  })

  test.each(flips)('one bit of its journal changed at %f of it', async (where) => {
    const { kit, work, before } = await killedWithWork()
    flip(kit, 'vault.db-wal', where)
    const opened = await expectRestored(kit, work, before)
    expect((await reported(opened)).map(({ file }) => file)).toEqual(['vault'])
    await opened.core.close()
  })

  test.each(['empty', 'from before the note was signed'])('an older one is put back: %s', async (which) => {
    const { kit, opened: first, empty } = await openedProfile()
    let opened = await reopened(kit, first)
    const { client, session } = await clientWithSession(opened, 'Older')
    await opened.call('transcripts.import', {
      session_id: session.id,
      file_name: 'a.txt',
      content: new TextEncoder().encode('Therapist: How was it?\nClient: Better than last week, I slept.'),
    })
    await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
    await opened.settled()
    opened = await reopened(kit, opened)
    const older = which === 'empty' ? empty : taken(kit, 'vault.db')
    await opened.call('clients.update', { id: client.id, version: 1, patch: { pronouns: 'they/them' } })
    const work = await signedWork(opened, 'Newer')
    const kept = { client_id: client.id, session_id: session.id, note_id: '' }
    const before = [await shown(opened, work), await shown(opened, kept)]
    await opened.core.close()
    older.putBack()
    opened = await kit.open()
    expect([await shown(opened, work), await shown(opened, kept)]).toEqual(before)
    await isComplete(opened)
    const items = (await reported(opened)).flatMap((report) => report.items)
    expect(items).toEqual(expect.arrayContaining(allOf('Newer')))
    expect(items).toEqual(expect.arrayContaining(which === 'empty' ? allOf('Older') : ['client of Older: true']))
    await opened.core.close()
  })
})

describe.skipIf(isOnPostgres)('a service whose store lost work is sent it again', () => {
  test.each(['its journal is gone', 'an older one is put back'])('%s', async (which) => {
    const { kit, opened: first } = await openedProfile()
    let opened = await reopened(kit, first)
    const older = taken(kit, 'service.db')
    const work = await signedWork(opened, 'Lost There')
    const before = await shown(opened, work)
    if (which === 'its journal is gone') {
      await killed(kit, opened)
      rmSync(join(kit.folder, 'service.db-wal'))
    } else {
      await opened.core.close()
      older.putBack()
    }
    opened = await expectRestored(kit, work, before)
    expect(await reported(opened)).toEqual([{ file: 'service', cause: 'behind', items: allOf('Lost There') }])
    await opened.core.close()
    // Now the vault gets all of it from there.
    const vault = taken(kit, 'vault.db')
    opened = await kit.open()
    await opened.core.close()
    vault.putBack()
    opened = await expectRestored(kit, work, before)
    expect((await reported(opened)).length).toBe(1)
    await opened.core.close()
  })
})

describe('nothing is reported where nothing was lost', () => {
  test('after a kill, whatever was on its way', async () => {
    const { kit, work, before } = await killedWithWork()
    let opened = await kit.open()
    expect(await shown(opened, work)).toEqual(before)
    expect(await reported(opened)).toEqual([])
    await opened.call('notes.addAddendum', { id: work.note_id, text: 'Later.', reason: 'Addition' })
    await killed(kit, opened)
    opened = await kit.open()
    await isComplete(opened)
    expect(await reported(opened)).toEqual([])
    await opened.core.close()
  })

  test('after a kill between what the service did and what the vault heard of it', async () => {
    const { kit, opened: first } = await openedProfile()
    let opened = await reopened(kit, first)
    const vault = taken(kit, 'vault.db')
    await opened.core.close()
    vault.putBack()
    opened = await kit.open({ openService: noService })
    const { client, session } = await clientWithSession(opened, 'Unheard')
    await opened.call('transcripts.import', {
      session_id: session.id,
      file_name: 'a.txt',
      content: new TextEncoder().encode('Therapist: How was it?\nClient: Better than last week, I slept.'),
    })
    await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
    await opened.core.close()
    const unheard = taken(kit, 'vault.db')
    opened = await kit.open()
    await opened.settled()
    const before = await shown(opened, { client_id: client.id, session_id: session.id, note_id: '' })
    await opened.core.close()
    unheard.putBack()
    opened = await kit.open()
    await opened.settled()
    await isComplete(opened)
    expect(await shown(opened, { client_id: client.id, session_id: session.id, note_id: '' })).toEqual(before)
    expect(await reported(opened)).toEqual([])
    await opened.core.close()
  })

  test('where a note was drafted again', async () => {
    const { kit, opened: first } = await openedProfile()
    const { session } = await clientWithSession(first, 'Twice Drafted')
    await first.call('transcripts.import', {
      session_id: session.id,
      file_name: 'a.txt',
      content: new TextEncoder().encode('Therapist: How was it?\nClient: Better than last week, I slept.'),
    })
    await first.call('notes.draft', { session_id: session.id, template: 'soap' })
    await first.settled()
    await first.call('notes.draft', { session_id: session.id, template: 'dap' })
    await first.settled()
    const note = (await first.call('notes.get', { session_id: session.id })).note
    const opened = await reopened(kit, first)
    expect((await opened.call('notes.get', { session_id: session.id })).note).toEqual(note)
    expect(await reported(opened)).toEqual([])
    await isComplete(opened)
    await opened.core.close()
  })
})

test('what was written here and not yet sent stays as it was written', async () => {
  const { kit, opened: first } = await openedProfile()
  const { client } = await clientWithSession(first, 'Edited')
  await first.settled()
  let opened = await reopened(kit, first)
  const older = taken(kit, 'vault.db')
  await opened.call('clients.update', { id: client.id, version: 1, patch: { pronouns: 'they/them' } })
  await opened.settled()
  await opened.core.close()
  older.putBack()
  opened = await kit.open({ openService: noService })
  await opened.call('clients.update', { id: client.id, version: 1, patch: { phone: '5550100' } })
  await opened.core.close()
  opened = await kit.open()
  await opened.settled()
  const merged = await opened.call('clients.get', { id: client.id })
  expect(merged.client).toMatchObject({ pronouns: 'they/them', phone: '5550100' })
  await isComplete(opened)
  await opened.core.close()
})

test('records that were never sent and lost their place in the outbox are sent after a repair', async () => {
  const { kit, opened: first, empty } = await openedProfile()
  await first.core.close()
  let opened = await kit.open({ openService: noService })
  const { client, session } = await clientWithSession(opened, 'Never Sent')
  await opened.core.close()
  const vault = await openVault({ ...kit.ports, migrations })
  vault.db.exec('delete from outbox; delete from pull_service; delete from pull_lists')
  vault.close()
  opened = await kit.open()
  await isComplete(opened)
  expect(await reported(opened)).toEqual([])
  await opened.core.close()
  empty.putBack()
  opened = await kit.open()
  expect((await opened.call('clients.get', { id: client.id })).client.display_name).toBe('Never Sent')
  expect((await opened.call('sessions.get', { id: session.id })).session.client_id).toBe(client.id)
  expect((await opened.call('consents.list', { client_id: client.id })).length).toBe(1)
  await opened.core.close()
})

test.each(isOnPostgres ? (['vault'] as const) : (['vault', 'service'] as const))(
  'cut off at any of its calls, the next opening brings the rest: %s',
  async (file) => {
    const { kit, opened: first } = await openedProfile()
    let opened = await reopened(kit, first)
    const older = taken(kit, `${file}.db`)
    const work = await signedWork(opened, 'Cut Off')
    const before = await shown(opened, work)
    await opened.core.close()
    older.putBack()
    const counted = { calls: 0, most: 0 }
    const openService: ServiceFactory = async (options) => {
      const real = await realService(systemClock, silentLog)(options)
      const fetch: typeof real.fetch = async (request) => {
        counted.calls += 1
        if (counted.calls > counted.most) throw new TypeError('cut off')
        return real.fetch(request)
      }
      return { ...real, fetch }
    }
    for (counted.most = 1; counted.most < 8; counted.most += 1) {
      counted.calls = 0
      opened = await kit.open({ openService })
      await killed(kit, opened)
    }
    opened = await expectRestored(kit, work, before)
    expect(await reported(opened)).toEqual([{ file, cause: 'behind', items: allOf('Cut Off') }])
    await opened.core.close()
  },
)

test('a recording whose session is nowhere gets one, with the client that the inventory names', async () => {
  const { kit, opened: first } = await openedProfile()
  let opened = await reopened(kit, first)
  const older = taken(kit, 'vault.db', 'service.db')
  const { session } = await clientWithSession(opened, 'Nowhere', Date.now())
  const started = await opened.call('recordings.start', {
    session_id: session.id,
    window_id: 'window-1',
    format,
    device_label: 'Mic',
  })
  for (let sequence = 0; sequence < 10; sequence += 1)
    kit.append.append({ recording_id: started.recording_id, ...recordOf(sequence) })
  await opened.call('recordings.finish', { recording_id: started.recording_id })
  await opened.core.close()
  older.putBack()
  opened = await kit.open()
  const [row] = await opened.call('clients.list', {})
  expect(row?.client.display_name).toBe('Nowhere')
  const found = await opened.call('sessions.get', { id: session.id })
  expect(found.session).toMatchObject({ client_id: row?.client.id, status: 'completed' })
  const recording = { id: started.recording_id, state: 'finished', saved_ms: 2000, finished_at: found.session.finished_at }
  expect(await opened.call('recordings.get', { session_id: session.id })).toMatchObject(recording)
  expect(await opened.call('recordings.recoverable', {})).toEqual([])
  await opened.until(async () => (await reported(opened)).some(({ items }) => items.includes('consent of Nowhere: false')))
  const lost = ['client', 'consent', 'session'].map((kind) => `${kind} of Nowhere: false`)
  const items = [...lost, 'recording of Nowhere: true'].toSorted()
  expect(await reported(opened)).toEqual([{ file: 'vault', cause: 'behind', items }])
  await isComplete(opened)
  opened = await reopened(kit, opened)
  expect((await opened.call('clients.list', {})).length).toBe(1)
  await opened.core.close()
})
