import { expect, onTestFinished, test } from 'vitest'
import { clientWithSession, coreKit, createProfile, dialogue } from './core-kit.ts'
import { looked } from './looked.ts'

test('words of drafts, of signed notes and of addenda are found, and no longer what was removed, also after a restart', async () => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  let open = await kit.open()
  await createProfile(open)
  const { session } = await clientWithSession(open, 'Noted Person')
  const content = new TextEncoder().encode(dialogue)
  await open.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.settled()
  const found = async (q: string) => (await open.call('search.find', { q })).notes
  const draft = (await open.call('notes.get', { session_id: session.id })).note!
  const { sections, omissions } = looked(draft)
  const statement = sections.flatMap(({ statements }) => statements)[0]!
  const written = (text: string) => {
    const own: typeof statement = { ...statement, id: 'own1', text, evidence: [], support: 'clinician_entered', origin: 'person' }
    return sections.map((section, index) => (index === 0 ? { ...section, statements: [...section.statements, own] } : section))
  }
  const save = (version: number, text: string) =>
    open.call('notes.save', { id: draft.id, version, sections: written(text), omissions })

  const first = await save(draft.version, 'She named a kestrel at dusk.')
  expect(await found('kestr')).toMatchObject([
    {
      session_id: session.id,
      client_name: 'Noted Person',
      statement_id: 'own1',
      excerpt: [{ text: 'She named a ' }, { text: 'kestrel', matched: true }, { text: ' at dusk.' }],
    },
  ])
  const second = await save(first.version, 'She named a heron.')
  expect(await found('kestrel')).toEqual([])
  const signed = await open.call('notes.sign', { id: draft.id, version: second.version })
  await open.call('notes.addAddendum', { id: signed.id, text: 'The quagmire was a bog.', reason: 'Addition' })
  await open.core.close()

  open = await kit.open()
  expect(await found('heron named')).toMatchObject([{ session_id: session.id, statement_id: 'own1' }])
  expect(await found('quagmire')).toMatchObject([{ session_id: session.id }])
  expect(await found(draft.id)).toEqual([])
  await open.core.close()
})
