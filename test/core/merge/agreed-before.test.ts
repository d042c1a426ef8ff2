import { expect, test } from 'vitest'
import { agreedSessions } from '#core/vault/migrations/0013-to-0018.ts'
import { mergeVault } from './merge-vault.ts'

/** As it was agreed by an app that did not keep which session a document is of. */
function agreedBefore() {
  const opened = mergeVault()
  const { db, merge, note } = opened
  const later = '2030-01-01T00:00:00.000Z'
  const of = { hash: 'of-before', own: false, created_at: later }
  for (const id of ['elsewhere', 'another']) merge.parts.common.keep('note', id, { version: 1, record: of })
  merge.parts.common.gone('note', 'gone')
  db.exec("update common_versions set record = json_remove(record, '$.session_id') where kind = 'note'")
  const known = (): unknown[] => db.prepare("select id from common_versions where kind = 'note' order by id").pluck().all()
  const sessionOf = (id: string): unknown =>
    db.prepare("select json_extract(record, '$.session_id') from common_versions where id = ?").pluck().get(id)
  return { ...opened, common: merge.parts.common, known, sessionOf, session_id: note.session_id! }
}

test('which session it is of is filled in where the document is here', () => {
  const { db, note, sessionOf, session_id } = agreedBefore()
  db.exec(agreedSessions)
  expect([note.id, 'elsewhere', 'gone'].map(sessionOf)).toEqual([session_id, null, null])
})

test('where it is not known of which session a document was, it is looked at anew with any; what is gone stays gone', () => {
  const { db, common, known, note, session_id } = agreedBefore()
  db.exec(agreedSessions)
  common.forget('note', session_id, note.id)
  expect(known()).toEqual([note.id, 'gone'].toSorted())
})
