import { expect, test } from 'vitest'
import { createKeptHere } from '#core/sync/capabilities/local-only.ts'
import { mergeVault } from './merge-vault.ts'

/** What the service of the moment cannot be told waits in no outbox, and is written here all the same. */

/** The draft was written in, which the service does not take. */
function writtenHere() {
  const opened = mergeVault()
  const { db, records, client, note } = opened
  const about = { client_id: client.id, session_id: note.session_id, subject_id: note.id }
  createKeptHere(db).keep({ kind: 'put-note', ...about, body: {} })
  const mine = { ...records.notes.find(note.id)!, template: 'dap' as const, version: 2 }
  records.notes.replace(mine, 1)
  return { ...opened, mine }
}

test('words that the service does not take are asked about when others come, not replaced by them', async () => {
  const { merge, handlers, records, note, mine } = writtenHere()
  merge.take({ kind: 'note', record: { ...note, template: 'birp', version: 2 } })
  expect(records.notes.find(note.id)).toEqual(mine)
  const [asked] = await handlers['conflicts.list']({ decided: false })
  expect(asked).toMatchObject({ kind: 'document', mine: { template: 'dap' }, theirs: { template: 'birp' } })
})

test('so are those of another note of the same session', async () => {
  const { merge, handlers, records, note, mine } = writtenHere()
  const other = '01a20000-0000-7000-8000-000000000001'
  merge.take({ kind: 'note', record: { ...note, id: other, template: 'birp', created_at: '2030-01-01T00:00:00.000Z' } })
  expect(records.notes.ofSession(note.session_id!)).toEqual(mine)
  expect(await handlers['conflicts.list']({ decided: false })).toHaveLength(1)
})
