import { expect, test } from 'vitest'
import { contentHash, withoutQuotes } from '#core/records/content-hash.ts'
import { createKeptHere } from '#core/sync/capabilities/local-only.ts'
import { at, mergeVault } from '../merge/merge-vault.ts'
import { hurried } from './cuts.ts'
import { openLaptop, someWork } from './migration-kit.ts'
import { openPractice } from './practice-kit.ts'

test('a note whose signed words were erased is told to no other service, and that is said', async () => {
  const [before, after] = [await openPractice(), await openPractice()]
  const laptop = await openLaptop({ wait_for_days: hurried() })
  const { opened } = laptop
  const { session, note_id } = await someWork(opened)
  const moveTo = async ({ address, ownerKey: key }: typeof before) => {
    await opened.call('moving.look', { address, key })
    await opened.call('moving.send', {})
    return laptop.until(({ phase }) => phase === 'checked')
  }
  await moveTo(before)
  await opened.call('moving.confirm', {})
  const transcripts = (await before.owner.call('listTranscripts', { query: { session_id: session.id } })).data.data
  const erasing = { record_kind: 'transcript', record_id: transcripts[0]!.id, reason: 'asked for' } as const
  await before.owner.call('eraseRecord', { body: erasing })
  const note = async () => (await opened.call('notes.get', { session_id: session.id })).note!
  await opened.until(async () => (await note()).redacted !== undefined)

  expect((await moveTo(after)).differences).toMatchObject([{ kind: 'note', id: note_id, code: 'signed-over-erased' }])
  await opened.call('moving.confirm', { leaving: true })
  await opened.settled()
  await expect(after.owner.call('getNote', { params: { id: note_id } })).rejects.toMatchObject({ code: 'not-found' })
  expect(await opened.call('outbox.list', {})).toEqual([])
  const { waiting } = await opened.call('service.offers', {})
  expect(waiting).toEqual(['add-addendum', 'put-note', 'sign-note'].map((kind) => ({ kind, count: 1 })))
  expect((await note()).addenda).toHaveLength(1)
})

test('what is added to it where it is signed is told; what was returned and signed anew is told whole', () => {
  const { db, records, note, client } = mergeVault()
  const localOnly = createKeptHere(db)
  const offers = { has: () => true } as never
  const signature = { by: 'Kim Osei', credential: null, at, method: 'click' as const, content_hash: 'a'.repeat(64) }
  const whole = { ...records.notes.find(note.id)!, client_id: client.id, status: 'signed' as const, signature }
  const erased = withoutQuotes(whole, at)
  records.notes.replace(erased, 1)
  const about = { client_id: client.id, session_id: note.session_id, subject_id: note.id }
  const kinds = ['put-note', 'sign-note', 'add-addendum'] as const
  const staying = () => kinds.filter((kind) => localOnly.isLocalOnly({ kind, ...about }, offers))
  expect(staying()).toEqual(['put-note', 'sign-note'])
  localOnly.keep({ kind: 'sign-note', ...about, body: { signature } })
  expect(staying()).toEqual(kinds)
  records.notes.replace({ ...erased, signature: { ...signature, content_hash: contentHash(erased) } }, 1)
  expect(staying()).toEqual([])
})
