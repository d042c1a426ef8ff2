import { expect, onTestFinished, test } from 'vitest'
import { ownStatement } from '#domain/note-review.ts'
import { clientWithSession, coreKit, createProfile, dialogue, type OpenCore } from './core-kit.ts'

async function setUp(): Promise<OpenCore> {
  const kit = coreKit()
  const open = await kit.open()
  onTestFinished(async () => {
    await open.core.close()
    kit.remove()
  })
  await createProfile(open)
  return open
}

test('the brief has the latest statements about safety, with their date, apart from the plan', async () => {
  const open = await setUp()
  const { client, session } = await clientWithSession(open, 'Safe Plan')
  const later = await open.call('sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at: new Date(Date.parse(session.starts_at) + 7 * 86_400_000).toISOString(),
    duration_minutes: 50,
  })
  const write = async (session_id: string, texts: readonly (readonly [key: string, text: string])[]) => {
    const note = await open.call('notes.start', { session_id, template: 'soap' })
    const sections = note.sections.map((section) => ({
      ...section,
      statements: texts.filter(([key]) => key === section.key).map(([key, text], index) => ownStatement(`${key}_${index}`, text)),
    }))
    await open.call('notes.save', { id: note.id, version: note.version, sections, omissions: [] })
  }
  const brief = (before?: string) => open.call('clients.brief', { client_id: client.id, before })
  expect((await brief()).safety).toBeNull()
  await write(session.id, [
    ['subjective', 'Slept six hours.'],
    ['plan', 'Safety plan: call the crisis line at eight or more.'],
    ['plan', 'Keep the diary.'],
  ])
  const safety = { starts_at: session.starts_at, texts: ['Safety plan: call the crisis line at eight or more.'] }
  expect(await brief()).toMatchObject({ safety, plan: [{ text: 'Keep the diary.' }] })
  await write(later.id, [['plan', 'Call her sister.']])
  expect(await brief()).toMatchObject({ last_session: { id: later.id }, safety, plan: [{ text: 'Call her sister.' }] })
  expect(await brief(later.starts_at)).toMatchObject({ last_session: { id: session.id }, plan: [{ text: 'Keep the diary.' }] })
  expect(await open.call('clients.sessionGists', { client_id: client.id })).toEqual([
    { session_id: later.id, topics: [], first_statement: 'Call her sister.', goals: null },
    { session_id: session.id, topics: [], first_statement: 'Slept six hours.', goals: null },
  ])
})

test('a session’s topics, and which goals came up, are told with consent to insights alone', async () => {
  const open = await setUp()
  const { client, session } = await clientWithSession(open, 'What About')
  const consent = await open.call('consents.give', {
    client_id: client.id,
    participant: { name: 'What About', role: 'client' },
    scopes: ['analyze'],
    text_version: '1',
    method: 'spoken',
  })
  const goals = ['Sleep until six on most nights', 'Return to the choir']
  await open.call('clients.update', { id: client.id, version: client.version, patch: { goals } })
  const said = `Therapist: How is it?\nClient: I did sleep until six most nights.\n${dialogue}`
  const file = { file_name: 'session.txt', content: new TextEncoder().encode(said) }
  await open.call('transcripts.import', { session_id: session.id, ...file })
  await open.call('insights.request', { session_id: session.id })
  await open.settled()
  const gists = () => open.call('clients.sessionGists', { client_id: client.id })
  const [gist] = await gists()
  expect(gist).toMatchObject({ session_id: session.id, first_statement: null })
  expect(gist!.topics).toContain('Sleep')
  expect(gist!.goals).toEqual([
    { text: goals[0], is_raised: true },
    { text: goals[1], is_raised: false },
  ])
  await open.call('consents.revoke', { id: consent.id })
  expect(await gists()).toEqual([])
})
