import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OwnTemplate } from '#contract/model/template.ts'
import { clientWithSession, dialogue } from '../core-kit.ts'
import { practice, type TestLaptop } from './laptops.ts'

let office: Awaited<ReturnType<typeof practice>>
let one: TestLaptop
let two: TestLaptop
beforeAll(async () => {
  office = await practice()
  ;[one, two] = [await office.laptop(), await office.laptop()]
})
afterAll(() => office.close())

const style = { length: 'usual', client_as: 'name' } as const
const sections: OwnTemplate['sections'] = [
  { key: 'said', title: 'Said', holds: ['said'], when_empty: 'not_stated' },
  { key: 'next', title: 'Next', holds: ['plan'], when_empty: 'not_stated' },
]

async function askForDraft(laptop: TestLaptop, form: string, name: string): Promise<string> {
  const { session } = await clientWithSession(laptop, name)
  const content = new TextEncoder().encode(dialogue)
  await laptop.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await laptop.call('notes.draft', { session_id: session.id, template: `own:${form}` })
  return session.id
}

const formOn = async (laptop: TestLaptop, id: string) => (await laptop.call('templates.list', {})).find((form) => form.id === id)!

async function rename(laptop: TestLaptop, id: string, title: string): Promise<void> {
  const { version, name, sections: before } = await formOn(laptop, id)
  const [first, ...rest] = before
  await laptop.call('templates.save', { id, version, name, style, sections: [{ ...first!, title }, ...rest] })
}

/** A form that both laptops changed; on the second two drafts in it wait until somebody has chosen. */
async function asked(name: string) {
  two.isOnline = true
  const { id } = await one.call('templates.save', { id: null, version: null, name, style, sections })
  await askForDraft(one, id, `${name} First`)
  await one.sent()
  await two.until(async () => (await formOn(two, id)) !== undefined)
  two.isOnline = false
  await rename(one, id, 'Of the first')
  await askForDraft(one, id, `${name} Second`)
  await one.sent()
  await rename(two, id, 'Of the second')
  const drafts = [await askForDraft(two, id, `${name} Third`), await askForDraft(two, id, `${name} Fourth`)]
  two.isOnline = true
  await two.until(async () => (await two.call('outbox.status', {})).needs_you === drafts.length)
  expect((await two.call('outbox.list', {})).map(({ kind, asked }) => [kind, asked])).toEqual(
    drafts.map(() => ['draft-note', true]),
  )
  return drafts
}

test('drafts that waited for a form to be decided go by themselves once it is', async () => {
  const drafts = await asked('Both Changed')
  const { id, version } = await two.conflict('document')
  await two.call('conflicts.resolve', { id, version, choice: { kind: 'document', side: 'theirs' } })
  for (const session_id of drafts) {
    expect((await two.call('notes.get', { session_id })).work.state).not.toBe('failed')
    await two.until(async () => (await two.call('notes.get', { session_id })).note !== null)
    const { note } = await two.call('notes.get', { session_id })
    expect(note!.sections[0]!.title).toBe('Of the first')
  }
  await two.sent()
  expect(await two.call('outbox.list', {})).toEqual([])
})

test('a form that was changed to the same there, at the very moment it was sent, keeps no draft waiting', async () => {
  const { id, name, version } = await two.call('templates.save', { id: null, version: null, name: 'At Once', style, sections })
  await askForDraft(two, id, 'Ada Once')
  await two.sent()
  two.before = async ({ method, url }) => {
    if (method !== 'PUT' || !url.endsWith(id)) return
    two.before = () => Promise.resolve()
    await office.there.call('putTemplate', { params: { id }, body: { name, style, sections: turned }, ifMatch: '"1"' })
  }
  const turned = sections.toReversed()
  await two.call('templates.save', { id, version, name, style, sections: turned })
  await askForDraft(two, id, 'Ada Twice')
  await two.sent()
  expect(await two.call('outbox.list', {})).toEqual([])
})
