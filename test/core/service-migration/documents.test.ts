import { expect, test } from 'vitest'
import { looked } from '../looked.ts'
import { hurried } from './cuts.ts'
import { openLaptop, someWork } from './migration-kit.ts'
import { openPractice } from './practice-kit.ts'

/** A draft and a template that were uploaded, and changed at the practice since. */
async function changedThere() {
  const practice = await openPractice()
  const laptop = await openLaptop({ wait_for_days: hurried() })
  const { opened } = laptop
  const { form, second, note_id } = await someWork(opened)
  await opened.call('moving.look', { address: practice.address, key: practice.ownerKey })
  await opened.call('moving.send', {})
  await laptop.until(({ phase }) => phase === 'checked')
  const draft = (await opened.call('notes.get', { session_id: second.session.id })).note!
  const note = async () => (await practice.owner.call('getNote', { params: { id: draft.id } })).data
  const template = async () => (await practice.owner.call('getTemplate', { params: { id: form.id } })).data
  const [before, { id: _id, ...body }] = [await note(), await template()]
  const changed = { ...before, sections: before.sections.map((section) => ({ ...section, title: 'Changed there' })) }
  await practice.owner.call('putNote', { params: { id: draft.id }, body: changed, ifMatch: before.version })
  const other = { name: 'Changed there', sections: body.sections, style: body.style }
  await practice.owner.call('putTemplate', { params: { id: form.id }, body: other, ifMatch: body.version })
  const said = draft.sections.map((section) => ({ ...section, title: 'Changed here' }))
  await opened.call('notes.save', { id: draft.id, version: draft.version, ...looked({ ...draft, sections: said }) })
  const saved = await opened.call('templates.save', { ...form, name: 'Changed here', version: form.version })
  return { practice, laptop, opened, note, template, ids: [saved.id, draft.id], note_id }
}

test('a draft and a template that were changed there stay as they are there, and are named', async () => {
  const { laptop, opened, note, template, ids } = await changedThere()
  const { differences } = await laptop.until(({ phase, differing }) => phase === 'checked' && differing === 2)
  expect(Object.fromEntries(differences.map(({ kind, id, code, fields }) => [kind, [id, code, ...fields]]))).toEqual({
    template: [ids[0], 'differs', 'content'],
    note: [ids[1], 'differs', 'content'],
  })
  expect([(await template()).name, (await note()).sections[0]!.title]).toEqual(['Changed there', 'Changed there'])
  await expect(opened.call('moving.confirm', {})).rejects.toMatchObject({ code: 'conflict' })
})

test('once that is agreed to they are replaced, and a signed note stays as it was signed', async () => {
  const { practice, laptop, opened, note, template, note_id } = await changedThere()
  await laptop.until(({ phase, differing }) => phase === 'checked' && differing === 2)
  const signed = async () => (await practice.owner.call('getNote', { params: { id: note_id } })).data
  const before = await signed()
  await opened.call('moving.send', { over: true })
  await laptop.until(({ phase, differing }) => phase === 'checked' && differing === 0)
  expect([(await template()).name, (await note()).sections[0]!.title]).toEqual(['Changed here', 'Changed here'])
  expect(await signed()).toEqual(before)
  expect(await opened.call('moving.confirm', {})).toMatchObject({ phase: 'confirmed' })
})
