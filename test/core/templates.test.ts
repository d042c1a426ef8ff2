import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CoreKit, coreKit, createProfile, clientWithSession, type OpenCore } from './core-kit.ts'

const dialogue = `Therapist: How have you been sleeping?
Client: I have been sleeping badly since the move and I wake up at four.
Therapist: Are you taking any medication?
Client: I started taking sertraline two weeks ago.
Therapist: And the days?
Client: I walk to the harbour in the morning and look at the boats before work begins.
Client: My sister calls on Sundays and we talk about the garden and the neighbours.
Therapist: Tell me about work.
Client: I sort the post at the office and carry it to the other floors, and nobody talks much there.
Client: I eat my lunch on the stairs because the kitchen is always full of people.
Client: I cook soup for three days at once because I do not like the stove in the new flat.
Therapist: I'd like you to write one page every evening before next week.
Client: Okay, I can do that.`

const example = `PROGRESS NOTE
Presenting today: said she was tired
## Medication
none
**Homework**
walk every day
Mental status: calm
`

let kit: CoreKit
let opened: OpenCore

beforeEach(async () => {
  kit = coreKit()
  opened = await kit.open()
  await createProfile(opened)
})
afterEach(async () => {
  await opened.core.close()
  kit.remove()
})

const style = { length: 'usual', client_as: 'name' } as const
const sections = [
  { key: 'said', title: 'Said', holds: ['said'], when_empty: 'not_stated' },
  { key: 'meds', title: 'Meds', holds: ['medication'], when_empty: 'not_assessed' },
  { key: 'next', title: 'Next', holds: ['plan'], when_empty: 'not_stated' },
] as const

const made = () =>
  opened.call('templates.save', {
    id: null,
    version: null,
    name: 'Evening note',
    style,
    sections: sections.map((section) => ({ ...section, holds: [...section.holds] })),
  })

async function draftIn(template: `own:${string}`) {
  const { session } = await clientWithSession(opened, 'Ada Brook')
  const content = new TextEncoder().encode(dialogue)
  await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await opened.call('notes.draft', { session_id: session.id, template })
  await opened.settled()
  return { session, ...(await opened.call('notes.get', { session_id: session.id })) }
}

describe('a form of one’s own', () => {
  test('is kept, drafted in by the service, and there after a restart', async () => {
    const form = await made()
    const { note } = await draftIn(`own:${form.id}`)
    expect(note?.sections.map(({ title }) => title)).toEqual(['Said', 'Meds', 'Next'])
    expect(note?.sections[1]?.statements.map(({ text }) => text).join()).toContain('sertraline')
    await opened.core.close()
    opened = await kit.open()
    expect(await opened.call('templates.list', {})).toEqual([form])
  })

  test('changed between two drafts reaches the service as it stands', async () => {
    const form = await made()
    const { session } = await draftIn(`own:${form.id}`)
    const { id, version, name } = form
    await opened.call('templates.save', { id, version, name, style, sections: form.sections.toReversed() })
    await opened.call('notes.draft', { session_id: session.id, template: `own:${id}` })
    await opened.settled()
    const { note } = await opened.call('notes.get', { session_id: session.id })
    expect(note?.sections.map(({ key }) => key)).toEqual(['next', 'meds', 'said'])
  })

  test('changed in two windows at once is changed once; the other hears that it is stale', async () => {
    const { id, version, name, sections: before } = await made()
    await opened.call('templates.save', { id, version, name: 'First', style, sections: before })
    await expect(opened.call('templates.save', { id, version, name, style, sections: before })).rejects.toMatchObject({
      code: 'stale-version',
    })
  })

  test('removed is no longer offered; the note written in it still exports under its name', async () => {
    const form = await made()
    const { note } = await draftIn(`own:${form.id}`)
    await opened.call('templates.remove', { id: form.id })
    expect(await opened.call('templates.list', {})).toEqual([])
    const text = await opened.call('exports.noteText', { id: note!.id })
    expect(text.text).toContain('EVENING NOTE')
  })

  test('two sections with one key are refused', async () => {
    const twice = [sections[0], sections[0]].map((section) => ({ ...section, holds: [...section.holds] }))
    await expect(
      opened.call('templates.save', { id: null, version: null, name: 'Twice', style, sections: twice }),
    ).rejects.toMatchObject({ code: 'validation-failed' })
  })
})

describe('a form from an example', () => {
  test('has the headings in their order, each with what it usually holds, and not a word of the text', async () => {
    const { name, sections: found } = await opened.call('templates.fromExample', { text: example })
    expect(found.map(({ title, holds }) => [title, holds])).toEqual([
      ['Presenting today', ['said']],
      ['Medication', ['medication']],
      ['Homework', ['plan']],
      ['Mental status', []],
    ])
    expect(name).toBe('Progress note')
    expect(JSON.stringify(found)).not.toMatch(/tired|walk|calm/)
  })

  test('takes no line for a heading because there is a colon in it', async () => {
    const text = `${example}\nAnna Miller told her sister: stop calling\nMother said on Tuesday: she drinks\nAnna: tired`
    const { sections: found } = await opened.call('templates.fromExample', { text })
    expect(JSON.stringify(found)).not.toMatch(/Anna|Mother|sister|Tuesday/)
    expect(found).toHaveLength(4)
  })

  test('without headings says what to do', async () => {
    await expect(opened.call('templates.fromExample', { text: 'She came and we talked.' })).rejects.toMatchObject({
      code: 'import-unreadable',
    })
  })
})

test('what a payer would ask follows the note, the code and earlier notes', async () => {
  const { session } = await clientWithSession(opened, 'Ada Brook')
  const ask = () => opened.call('notes.payerChecks', { session_id: session.id })
  expect((await ask()).checks).toEqual([])
  const content = new TextEncoder().encode(dialogue)
  await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await opened.call('notes.draft', { session_id: session.id, template: 'dap' })
  await opened.settled()
  const codes = async () => (await ask()).checks.map(({ code }) => code)
  expect(await codes()).toEqual(expect.arrayContaining(['payer-times', 'payer-diagnosis']))
  const row = await opened.call('sessions.get', { id: session.id })
  await opened.call('sessions.update', {
    id: session.id,
    version: row.session.version,
    patch: { started_at: '2026-11-24T10:00:00Z', finished_at: '2026-11-24T10:45:00Z', cpt_code: '90837' },
  })
  expect(await ask()).toMatchObject({ minutes: 45 })
  expect(await codes()).toContain('payer-minutes')
})
