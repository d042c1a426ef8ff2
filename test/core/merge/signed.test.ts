import { expect, test } from 'vitest'
import { contentHash } from '#core/notes/note-signing.ts'
import { createKeptHere } from '#core/sync/capabilities/kept-here.ts'
import { at, mergeVault } from './merge-vault.ts'

/** As it is after the service has it, signed. */
function signedHere({ records: { notes }, note, client }: ReturnType<typeof mergeVault>) {
  const signature = { signed_by: 'Kim Osei', signed_at: at, content_hash: contentHash(note), statement: 'Signed.' }
  const mine = { ...notes.find(note.id)!, client_id: client.id, status: 'signed' as const, signature: signature as never }
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

test('what was erased by policy in a signed note goes here too', async () => {
  const opened = mergeVault()
  const { merge, handlers, note } = opened
  const { signature } = signedHere(opened)
  const left = { ...note, engine: { ...note.engine, version: '2' } }
  const redacted = { at, content_hash: contentHash(left) }
  merge.take({ kind: 'note', record: { ...left, status: 'signed', signature, redacted, version: 2 } })
  expect(opened.records.notes.find(note.id)).toMatchObject({ redacted, signature })
  expect(await handlers['conflicts.list']({ decided: false })).toEqual([])
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
