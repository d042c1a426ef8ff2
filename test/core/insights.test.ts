import { expect, onTestFinished, test } from 'vitest'
import { clientWithSession, coreKit, createProfile, dialogue, noService, type OpenCore } from './core-kit.ts'

async function setUp(overrides: Parameters<ReturnType<typeof coreKit>['open']>[0] = {}) {
  const kit = coreKit()
  let open = await kit.open(overrides)
  onTestFinished(async () => {
    await open.core.close()
    kit.remove()
  })
  await createProfile(open)
  return {
    kit,
    open,
    reopen: async (more: typeof overrides = {}) => {
      await open.core.close()
      open = await kit.open(more)
      return open
    },
  }
}

/** Consent to insights is asked for apart from all else. */
async function agreeToInsights(open: OpenCore, client_id: string, name: string): Promise<string> {
  const { id } = await open.call('consents.give', {
    client_id,
    participant: { name, role: 'client' },
    scopes: ['analyze'],
    text_version: '1',
    method: 'spoken',
  })
  return id
}

const said = (text: string) => ({ file_name: 'session.txt', content: new TextEncoder().encode(text) })

async function analysed(open: OpenCore, session_id: string, text = dialogue) {
  await open.call('transcripts.import', { session_id, ...said(text) })
  await open.call('insights.request', { session_id })
  await open.settled()
  return open.call('insights.get', { session_id })
}

const withRisk = `${dialogue}
Therapist: And anything else?
Client: Some nights I don't want to wake up.
Therapist: Would you say more about your father?
Client: I'd rather not talk about that today.`

test('insights come from the service, are kept in the vault, and are there without it', async () => {
  const { open, reopen } = await setUp()
  const { client, session } = await clientWithSession(open, 'Kept Here')
  await agreeToInsights(open, client.id, 'Kept Here')
  const found = await analysed(open, session.id)
  expect(found.analysis?.topics.map(({ name }) => name)).toContain('Sleep')
  expect([found.work.state, found.is_outdated]).toEqual(['idle', false])
  const offline = await reopen({ openService: noService })
  expect((await offline.call('insights.get', { session_id: session.id })).analysis).toEqual(found.analysis)
})

test('without consent to insights nothing is asked of the service', async () => {
  const { open } = await setUp()
  const { session } = await clientWithSession(open, 'Not Agreed')
  const refused = await analysed(open, session.id)
  expect(refused).toMatchObject({ analysis: null, is_allowed: false, work: { state: 'failed', error: 'consent-missing' } })
})

test('withdrawn, what was found goes from this laptop, with the decisions about it', async () => {
  const { open } = await setUp()
  const { client, session } = await clientWithSession(open, 'Taken Back')
  const consent = await agreeToInsights(open, client.id, 'Taken Back')
  const found = await analysed(open, session.id, withRisk)
  const [cue] = found.analysis?.risk_cues ?? []
  await open.call('insights.decide', { session_id: session.id, cue_id: cue!.id, decision: 'asked', reason: '' })
  await open.call('consents.revoke', { id: consent })
  expect(await open.call('insights.get', { session_id: session.id })).toMatchObject({ analysis: null, decisions: [] })
  await agreeToInsights(open, client.id, 'Taken Back')
  expect(await open.call('insights.get', { session_id: session.id })).toMatchObject({
    analysis: null,
    is_allowed: true,
    decisions: [],
  })
})

test('withdrawn while it waits, the request is taken out', async () => {
  const { open } = await setUp({ openService: noService })
  const { client, session } = await clientWithSession(open, 'While Waiting')
  const consent = await agreeToInsights(open, client.id, 'While Waiting')
  await open.call('transcripts.import', { session_id: session.id, ...said(dialogue) })
  await open.call('insights.request', { session_id: session.id })
  expect((await open.call('outbox.list', {})).map(({ kind }) => kind)).toContain('analyze')
  await open.call('consents.revoke', { id: consent })
  expect((await open.call('outbox.list', {})).map(({ kind }) => kind)).not.toContain('analyze')
  expect((await open.call('insights.get', { session_id: session.id })).work).toMatchObject({ error: 'consent-missing' })
})

test('asked for without a service it waits, asked twice it waits once, and stopped it is gone', async () => {
  const { open } = await setUp({ openService: noService })
  const { client, session } = await clientWithSession(open, 'Offline')
  await agreeToInsights(open, client.id, 'Offline')
  await open.call('transcripts.import', { session_id: session.id, ...said(dialogue) })
  const session_id = session.id
  expect((await open.call('insights.request', { session_id })).state).toBe('waiting')
  await open.call('insights.request', { session_id })
  const asked = async () => (await open.call('outbox.list', {})).filter(({ kind }) => kind === 'analyze').length
  expect(await asked()).toBe(1)
  await open.call('insights.cancel', { session_id })
  expect([await asked(), (await open.call('insights.get', { session_id })).work.error]).toEqual([0, 'cancelled'])
})

test('asked for offline it is done once the service is back', async () => {
  const { open, reopen } = await setUp({ openService: noService })
  const { client, session } = await clientWithSession(open, 'Back Again')
  await agreeToInsights(open, client.id, 'Back Again')
  await open.call('transcripts.import', { session_id: session.id, ...said(dialogue) })
  await open.call('insights.request', { session_id: session.id })
  const online = await reopen()
  await online.settled()
  expect((await online.call('insights.get', { session_id: session.id })).analysis).not.toBeNull()
})

test('a transcript that was corrected since leaves its insights outdated, and says so', async () => {
  const { open } = await setUp()
  const { client, session } = await clientWithSession(open, 'Corrected')
  await agreeToInsights(open, client.id, 'Corrected')
  await analysed(open, session.id)
  const { transcript } = await open.call('transcripts.get', { session_id: session.id })
  const { version, speakers, segments } = transcript!
  const corrected = segments.map((each, index) => (index === 1 ? { ...each, text: `${each.text} Really.`, edited: true } : each))
  await open.call('transcripts.save', { session_id: session.id, version, speakers, segments: corrected })
  expect((await open.call('insights.get', { session_id: session.id })).is_outdated).toBe(true)
  await open.call('insights.request', { session_id: session.id })
  await open.settled()
  expect((await open.call('insights.get', { session_id: session.id })).is_outdated).toBe(false)
})

test('a decision stays with the words it is about, also after the session was read anew', async () => {
  const { open } = await setUp()
  const { client, session } = await clientWithSession(open, 'Decided')
  await agreeToInsights(open, client.id, 'Decided')
  const found = await analysed(open, session.id, withRisk)
  const [cue] = found.analysis?.risk_cues ?? []
  expect(cue).toMatchObject({ quote: "Some nights I don't want to wake up", requires_review: true })
  const decide = (cue_id: string, decision: 'asked' | 'follow_up') =>
    open.call('insights.decide', { session_id: session.id, cue_id, decision, reason: 'Asked at the end.' })
  await decide(cue!.id, 'follow_up')
  expect((await decide(cue!.id, 'asked')).decisions).toMatchObject([{ cue_id: cue!.id, decision: 'asked' }])
  await open.call('insights.request', { session_id: session.id })
  await open.settled()
  const again = await open.call('insights.get', { session_id: session.id })
  expect(again.decisions.map(({ cue_id }) => cue_id)).toEqual([again.analysis?.risk_cues[0]?.id])
  await expect(decide('no such words', 'asked')).rejects.toMatchObject({ code: 'not-found' })
})

test('the page before the next session has the plan of the last note, what to ask, and the cues still open', async () => {
  const { open } = await setUp()
  const { client, session } = await clientWithSession(open, 'Next Time')
  await agreeToInsights(open, client.id, 'Next Time')
  const before = await open.call('clients.brief', { client_id: client.id })
  expect(before).toMatchObject({ last_session: null, note: null, insights: 'not_asked' })
  const found = await analysed(open, session.id, withRisk)
  await open.call('notes.draft', { session_id: session.id, template: 'dap' })
  await open.settled()
  const brief = await open.call('clients.brief', { client_id: client.id })
  expect(brief).toMatchObject({
    client_name: 'Next Time',
    last_session: { id: session.id, number: 1 },
    note: { status: 'draft' },
    insights: 'present',
  })
  expect(brief.plan.length).toBeGreaterThan(0)
  expect(brief.questions.map(({ kind }) => kind)).toEqual(['unanswered'])
  expect(brief.cues.map(({ quote }) => quote)).toEqual(["Some nights I don't want to wake up"])
  const [cue] = found.analysis?.risk_cues ?? []
  await open.call('insights.decide', { session_id: session.id, cue_id: cue!.id, decision: 'asked', reason: '' })
  expect((await open.call('clients.brief', { client_id: client.id })).cues).toEqual([])
})

test('the page before the next session says what was agreed where the note does not, and never a placeholder', async () => {
  const { open } = await setUp()
  const { client, session } = await clientWithSession(open, 'Agreed Aloud')
  await agreeToInsights(open, client.id, 'Agreed Aloud')
  const { analysis } = await analysed(open, session.id)
  await open.call('notes.draft', { session_id: session.id, template: 'dap' })
  await open.settled()
  const brief = () => open.call('clients.brief', { client_id: client.id })
  const homework = analysis!.homework.map(({ text }) => text)
  expect(homework.length).toBeGreaterThan(0)
  expect((await brief()).agreed).toEqual([])
  const note = (await open.call('notes.get', { session_id: session.id })).note!
  const [first] = note.sections.at(-1)!.statements
  const empty = { ...first!, text: 'Not stated in session.', evidence: [], finding: null, safety: false }
  const sections = note.sections.map((section) => (section.key === 'plan' ? { ...section, statements: [empty] } : section))
  await open.call('notes.save', { id: note.id, version: note.version, sections, omissions: note.omissions })
  expect(await brief()).toMatchObject({ plan: [], agreed: homework.map((text) => ({ text })) })
})

test('without consent to insights the page still has the plan of the note, and nothing read from the session', async () => {
  const { open } = await setUp()
  const { client, session } = await clientWithSession(open, 'Note Alone')
  await open.call('transcripts.import', { session_id: session.id, ...said(dialogue) })
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.settled()
  const brief = await open.call('clients.brief', { client_id: client.id })
  expect([brief.insights, brief.questions, brief.cues, brief.goals, brief.changes]).toEqual(['not_agreed', [], [], [], null])
  expect(brief.plan.length).toBeGreaterThan(0)
})

test('goals that stand in the client’s record are looked for in what was said', async () => {
  const { open } = await setUp()
  const { client, session } = await clientWithSession(open, 'With Goals')
  await agreeToInsights(open, client.id, 'With Goals')
  const goals = ['Sleep until six on most nights', 'Call her father once a month']
  await open.call('clients.update', { id: client.id, version: client.version, patch: { goals } })
  const found = await analysed(open, session.id, `Therapist: How is it?\nClient: I did sleep until six most nights.\n${dialogue}`)
  const given = found.analysis?.goals.filter(({ source }) => source === 'given')
  expect(given?.map(({ text, evidence }) => [text, evidence.length > 0])).toEqual([
    [goals[0], true],
    [goals[1], false],
  ])
})

test('taken back by somebody who was only in the session before, their words leave this laptop; the rest stays', async () => {
  const { open } = await setUp()
  const { client, session } = await clientWithSession(open, 'Later Alone')
  await agreeToInsights(open, client.id, 'Later Alone')
  const { id: consent } = await open.call('consents.give', {
    client_id: client.id,
    participant: { name: 'Ben Partner', role: 'partner' },
    scopes: ['record', 'transcribe', 'draft', 'analyze'],
    text_version: '1',
    method: 'spoken',
  })
  const both = await open.call('sessions.create', {
    client_id: client.id,
    session_type: 'couple',
    starts_at: new Date(Date.parse(session.starts_at) - 7 * 86_400_000).toISOString(),
    duration_minutes: 50,
    participants: [
      { name: 'Later Alone', role: 'client' },
      { name: 'Ben Partner', role: 'partner' },
    ],
  })
  await open.call('transcripts.import', { session_id: both.id, ...said(dialogue.replaceAll('at three', 'at four')) })
  await open.settled()
  const found = await analysed(open, session.id)
  expect(JSON.stringify(found.analysis?.changes)).toContain('at four')
  await open.call('consents.revoke', { id: consent })
  const { analysis } = await open.call('insights.get', { session_id: session.id })
  expect([analysis?.changes, (analysis?.topics.length ?? 0) > 0]).toEqual([null, true])
  expect(JSON.stringify([analysis, await open.call('clients.brief', { client_id: client.id })])).not.toContain('at four')
})
