import { describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { type Note, noteSectionSchema } from '#contract/model/note.ts'
import { addendumHash, contentHash, isIntact, withoutQuotes } from '#core/records/content-hash.ts'
import { createKeptHere } from '#core/sync/capabilities/local-only.ts'
import { createUnquote } from '#core/sync/merge/tombstones.ts'
import { at, mergeVault } from './merge-vault.ts'

/** One sentence in the therapist's own words, which quotes what was said. */
function writing(text: string): Pick<Note, 'sections'> {
  const evidence = [{ segment_id: 's1', start_ms: null, end_ms: null, quote: 'so it was said' }]
  const of = { support: 'clinician_entered', origin: 'person', safety: false, confirmed_at: null }
  const section = { key: 'subjective', title: 'Subjective', statements: [{ id: 's-1', text, evidence, ...of }] }
  return { sections: [noteSectionSchema.parse(section)] }
}
const quoting = writing('Sleeps badly.')

/** As it is after the service has it, signed. */
function signedHere(
  { records: { notes }, note, client }: ReturnType<typeof mergeVault>,
  words: Pick<Note, 'sections'> | null = null,
) {
  const content_hash = contentHash({ ...note, ...words })
  const signature = { by: 'Kim Osei', credential: null, at, method: 'click' as const, content_hash }
  const mine = { ...notes.find(note.id)!, ...words, client_id: client.id, status: 'signed' as const, signature }
  notes.replace(mine, 1)
  return mine
}

test('what was signed here is replaced by nothing unsigned: asked about, and told again with its signature', async () => {
  const opened = mergeVault()
  const {
    db,
    merge,
    handlers,
    note,
    records: { notes },
  } = opened
  const { signature } = signedHere(opened)
  merge.take({ kind: 'note', record: { ...note, template: 'dap', version: 2 } })
  expect(notes.find(note.id)?.signature).toEqual(signature)
  const [asked] = await handlers['conflicts.list']({ decided: false })
  expect(asked).toMatchObject({ kind: 'document', record: 'note', choices: ['mine'] })
  await handlers['conflicts.resolve']({ id: asked!.id, version: asked!.version, choice: { kind: 'document', side: 'mine' } })
  expect(db.prepare('select kind from outbox order by sequence').pluck().all()).toEqual(['put-note', 'sign-note'])
})

test('the same words come back unsigned: the signed note stays, is asked about once, and told again', async () => {
  const opened = mergeVault()
  const {
    db,
    merge,
    handlers,
    note,
    records: { notes },
  } = opened
  const mine = signedHere(opened)
  for (const version of [2, 3]) merge.take({ kind: 'note', record: { ...note, version } })
  expect(notes.find(note.id)).toEqual(mine)
  const [asked, ...more] = await handlers['conflicts.list']({ decided: false })
  expect(more).toEqual([])
  expect(asked).toMatchObject({ kind: 'document', record: 'note', choices: ['mine'] })
  await handlers['conflicts.resolve']({ id: asked!.id, version: asked!.version, choice: { kind: 'document', side: 'mine' } })
  expect(db.prepare('select kind from outbox order by sequence').pluck().all()).toEqual(['put-note', 'sign-note'])
  merge.take({ kind: 'note', record: { ...note, version: 4 } })
  expect(notes.find(note.id)).toEqual(mine)
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
})

test('its signature comes back after all: nothing is left to be asked', async () => {
  const opened = mergeVault()
  const { merge, handlers, note } = opened
  const { signature } = signedHere(opened)
  merge.take({ kind: 'note', record: { ...note, version: 2 } })
  merge.take({ kind: 'note', record: { ...note, status: 'signed', signature, version: 3 } })
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
})

test('other words under the same signature are not what was signed: the note stays, and somebody hears of it', async () => {
  const opened = mergeVault()
  const { merge, handlers, note } = opened
  const mine = signedHere(opened)
  const { signature } = mine
  merge.take({ kind: 'note', record: { ...note, template: 'dap', status: 'signed', signature, version: 2 } })
  expect(opened.records.notes.find(note.id)).toEqual(mine)
  const [asked] = await handlers['conflicts.list']({ decided: false })
  expect(asked).toMatchObject({ kind: 'document', mine: { template: 'soap' }, theirs: { template: 'dap' }, choices: ['mine'] })
  merge.take({ kind: 'note', record: { ...note, status: 'signed', signature, version: 3 } })
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
})

describe('what was erased by policy in a signed note', () => {
  test('goes here too, and does not come back with what was signed', async () => {
    const opened = mergeVault()
    const { merge, handlers, note } = opened
    const mine = signedHere(opened, quoting)
    const left = withoutQuotes({ ...note, ...quoting, status: 'signed', signature: mine.signature, version: 2 }, at)
    merge.take({ kind: 'note', record: left })
    const { redacted, sections } = left
    const here = () => opened.records.notes.find(note.id)
    expect(here()).toMatchObject({ redacted, sections, signature: mine.signature })
    merge.take({ kind: 'note', record: { ...left, ...quoting, redacted: undefined, version: 3 } })
    expect(here()?.sections).toEqual(sections)
    expect(isIntact(here()!)).toBe(true)
    expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
  })

  test.each([false, true])(
    'is no cover for other words, whether it was erased here before or not (%s), nor once erased in the question',
    async (isErasedHere) => {
      const opened = mergeVault()
      const { db, merge, handlers, note } = opened
      const whole = signedHere(opened, quoting)
      const mine = isErasedHere ? withoutQuotes(whole, at) : whole
      opened.records.notes.replace(mine, 1)
      const invented = { ...note, ...writing('Never written here.'), status: 'signed' as const, signature: mine.signature }
      merge.take({ kind: 'note', record: { ...withoutQuotes(invented, at), version: 2 } })
      expect(opened.records.notes.find(note.id)).toEqual(mine)
      expect(await handlers['conflicts.list']({ decided: false })).toMatchObject([{ kind: 'document', choices: ['mine'] }])
      createUnquote({ ...merge.parts, ...opened.records, clock: systemClock })(note.session_id!)
      expect(await handlers['conflicts.list']({ decided: false })).toMatchObject([{ kind: 'document', choices: ['mine'] }])
      expect(db.prepare("select instr(body, 'so it was said') from conflicts").pluck().all()).toEqual([0])
    },
  )
})

test('once it was seen that other words stand there under the signature, it is not asked again of the same', async () => {
  const opened = mergeVault()
  const { db, merge, handlers, outbox, note, client } = opened
  const mine = signedHere(opened)
  const words = { id: newId(systemClock), text: 'More.', reason: 'Asked.', by: 'Kim Osei', at }
  const addendum = { ...words, content_hash: addendumHash(words, mine.signature!.content_hash) }
  opened.records.notes.replace({ ...mine, addenda: [addendum] }, 1)
  outbox.add({ kind: 'add-addendum', client_id: client.id, session_id: note.session_id, subject_id: note.id, body: addendum })
  const other = { ...note, template: 'dap' as const, status: 'signed' as const, signature: mine.signature }
  merge.take({ kind: 'note', record: { ...other, version: 2 } })
  const [asked] = await handlers['conflicts.list']({ decided: false })
  await handlers['conflicts.resolve']({ id: asked!.id, version: asked!.version, choice: { kind: 'document', side: 'mine' } })
  expect(db.prepare('select kind, state from outbox').all()).toEqual([{ kind: 'add-addendum', state: 'waiting' }])
  const added = { ...other, addenda: [addendum], status: 'amended' as const, version: 3 }
  merge.answeredNote(merge.parts.pending.of(note.id, 'add-addendum')[0]!, added)
  expect(opened.records.notes.find(note.id)).toMatchObject({ template: 'soap', addenda: [addendum] })
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
  merge.take({ kind: 'note', record: { ...added, template: 'birp', version: 4 } })
  expect(await handlers['conflicts.list']({ decided: false })).toHaveLength(1)
})

test('returned by a supervisor it is a draft again, signature and all', async () => {
  const opened = mergeVault()
  const {
    merge,
    handlers,
    note,
    records: { notes },
  } = opened
  const { signature } = signedHere(opened)
  merge.take({ kind: 'note', record: { ...note, status: 'returned', signature, version: 2 } })
  expect(notes.find(note.id)).toMatchObject({ status: 'returned', signature })
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
})

test('a signature that the service of the moment cannot be told of stays, and nothing is asked', async () => {
  const opened = mergeVault()
  const {
    db,
    merge,
    handlers,
    note,
    records: { notes },
    client,
  } = opened
  const mine = signedHere(opened)
  const about = { client_id: client.id, session_id: note.session_id, subject_id: note.id }
  createKeptHere(db).keep({ kind: 'sign-note', ...about, body: { signature: mine.signature } })
  merge.take({ kind: 'note', record: { ...note, version: 2 } })
  expect(notes.find(note.id)).toEqual(mine)
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
})
