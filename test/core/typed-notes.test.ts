import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Note } from '#contract/model/note.ts'
import { ownStatement } from '#domain/note-review.ts'
import { withTyped } from '#domain/note-sections.ts'
import { clientWithSession, type CoreKit, coreKit, createProfile, dialogue, type OpenCore } from './core-kit.ts'

let kit: CoreKit
let open: OpenCore
beforeEach(async () => {
  kit = coreKit()
  open = await kit.open()
  await createProfile(open)
})
afterEach(async () => {
  await open.core.close()
  kit.remove()
})

const startNote = async (template: Note['template'] = 'soap') => {
  const { session, client } = await clientWithSession(open)
  return { session, client, note: await open.call('notes.start', { session_id: session.id, template }) }
}
const type = (note: Note, key: string, text: string) =>
  note.sections.map((section) => (section.key === key ? withTyped(section, text, () => crypto.randomUUID()) : section))
const save = (note: Note, sections: Note['sections'], more: { template?: Note['template'] } = {}) =>
  open.call('notes.save', { id: note.id, version: note.version, sections, omissions: note.omissions, ...more })
const read = async (session_id: string) => (await open.call('notes.get', { session_id })).note!

test('a note is begun without a transcript, with the empty sections of its template, and begun only once', async () => {
  const { session, note } = await startNote('dap')
  expect(note.sections).toEqual(
    [
      ['data', 'Data'],
      ['assessment', 'Assessment'],
      ['plan', 'Plan'],
    ].map(([key, title]) => ({ key, title, statements: [] })),
  )
  expect(await open.call('notes.start', { session_id: session.id, template: 'soap' })).toEqual(note)
})

test('a typed note needs no consent to drafting, as nothing of the session is read', async () => {
  const client = await open.call('clients.create', { display_name: 'Lena Ott' })
  const starts_at = '2024-05-06T09:00:00Z'
  const session = await open.call('sessions.create', {
    client_id: client.id,
    session_type: 'couple',
    starts_at,
    duration_minutes: 50,
  })
  expect((await open.call('notes.start', { session_id: session.id, template: 'couples' })).sections[0]).toMatchObject({
    key: 'partner_1',
    title: 'Lena Ott',
  })
})

test('an empty note cannot be signed, and no list offers to sign it', async () => {
  const { session, note } = await startNote()
  expect((await open.call('sessions.get', { id: session.id })).note).toMatchObject({ to_check: 1 })
  await expect(open.call('notes.sign', { id: note.id, version: note.version })).rejects.toMatchObject({
    code: 'not-ready-to-sign',
    detail: 'The note is empty. Add at least one sentence.',
  })
  const typed = await save(note, type(note, 'plan', 'See her Tuesday.'))
  expect((await open.call('sessions.get', { id: session.id })).note).toMatchObject({ to_check: 0 })
  expect(await open.call('notes.sign', { id: note.id, version: typed.version })).toMatchObject({ status: 'signed' })
})

test('a draft of placeholders and the planned length cannot be signed', async () => {
  const { session } = await clientWithSession(open)
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.until(async () => (await open.call('notes.get', { session_id: session.id })).note !== null)
  const { id, version } = await read(session.id)
  await expect(open.call('notes.sign', { id, version })).rejects.toMatchObject({ code: 'not-ready-to-sign' })
})

test('a saved sentence is there after the app was killed, is sent to the service, and the signed note is intact', async () => {
  const { session, note } = await startNote()
  const typed = await save(note, type(note, 'subjective', 'Slept well.\nCalled her sister.'))
  await open.core.close()
  open = await kit.open()
  expect(await read(session.id)).toEqual(typed)
  await open.call('notes.sign', { id: note.id, version: typed.version })
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
  expect(await open.call('notes.verify', { id: note.id })).toEqual({ intact: true })
  expect((await open.call('exports.noteText', { id: note.id })).text).toContain('Slept well.')
})

test('a pasted text with more lines than a section has sentences is saved with every line', async () => {
  const { session, note } = await startNote()
  const lines = Array.from({ length: 2500 }, (_, at) => `${at}: ${'She spoke about the move and her sister. '.repeat(2)}`.trim())
  await save(note, type(note, 'subjective', lines.join('\n')))
  const typed = (await read(session.id)).sections.find(({ key }) => key === 'subjective')!
  expect(typed.statements.map(({ text }) => text).join('\n')).toBe(lines.join('\n'))
  const again = withTyped(typed, `${lines.join('\n')}\nOne more.`, () => crypto.randomUUID())
  expect(again.statements.map(({ text }) => text).join('\n')).toBe(`${lines.join('\n')}\nOne more.`)
  await open.settled()
  expect(await open.call('outbox.list', {})).toEqual([])
})

test('a line without spaces is divided between its characters, and none is lost', async () => {
  const { session, note } = await startNote()
  const line = `${'👩🏽\u200d⚕️'.repeat(1500)}`
  await save(note, type(note, 'subjective', line))
  const typed = (await read(session.id)).sections.find(({ key }) => key === 'subjective')!
  expect(typed.statements.map(({ text }) => text).join('')).toBe(line)
  expect(typed.statements.every(({ text }) => text.isWellFormed())).toBe(true)
})

test('another template is saved with the note and reaches the service', async () => {
  const { session, note } = await startNote()
  const sections = [{ key: 'data', title: 'Data', statements: [ownStatement('a', 'Slept well.')] }]
  await save(note, sections, { template: 'dap' })
  await open.settled()
  expect(await read(session.id)).toMatchObject({ template: 'dap', sections })
})

test('a draft that is asked for later comes beside what was typed', async () => {
  const { session, note } = await startNote()
  await save(note, type(note, 'plan', 'Refer to a sleep clinic.'))
  const content = new TextEncoder().encode(dialogue)
  await open.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await open.call('notes.draft', { session_id: session.id, template: 'dap' })
  await open.until(async () => (await read(session.id)).template === 'dap')
  await open.settled()
  const drafted = await read(session.id)
  expect(drafted.sections.find(({ key }) => key === 'plan')?.statements.at(-1)).toMatchObject({
    text: 'Refer to a sleep clinic.',
  })
  expect(drafted.sections.flatMap(({ statements }) => statements).length).toBeGreaterThan(4)
})
