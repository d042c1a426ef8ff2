import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { insertAnalysis } from '#service/store/analyses.ts'
import { insertSession } from '#service/store/sessions.ts'
import { openAuthorityKit } from './authority-kit.ts'
import type { AuthorityKit, Person } from './authority-kit.ts'
import { anAnalysis, aSession, insertRecords } from './records-of-a-client.ts'
import type { RecordsOfClient } from './records-of-a-client.ts'

let kit: AuthorityKit
beforeAll(async () => {
  kit = await openAuthorityKit()
})
afterAll(() => kit.close())

const recordsOf = (person: Person | null): Promise<RecordsOfClient> =>
  kit.write(kit.practice, (write) => insertRecords(write, kit.practice, person?.id ?? null))
const statusOf = async (person: Person, path: string): Promise<number> => (await person.call('GET', path)).status
const atOnce = { Prefer: 'respond-async' }
const changing = { 'If-Match': '*' }
const name = { display_name: 'A' }

describe('supervision', () => {
  test('reaches the caseloads of those supervised, and not of those they supervise', async () => {
    const upper = await kit.person(['supervisor'])
    const middle = await kit.person(['clinician', 'supervisor'], { supervisor: upper.id })
    const lower = await kit.person(['clinician'], { supervisor: middle.id })
    const [ofMiddle, ofLower] = [await recordsOf(middle), await recordsOf(lower)]
    expect(await statusOf(upper, `/notes/${ofMiddle.note}`)).toBe(200)
    expect(await statusOf(upper, `/notes/${ofLower.note}`)).toBe(404)
    expect(await statusOf(middle, `/notes/${ofLower.note}`)).toBe(200)
    expect(await statusOf(lower, `/notes/${ofMiddle.note}`)).toBe(404)
  })
  test('without the role it reaches nothing, whatever the records say of who supervises whom', async () => {
    const once = await kit.person(['clinician'])
    const trainee = await kit.person(['clinician'], { supervisor: once.id })
    expect(await statusOf(once, `/clients/${(await recordsOf(trainee)).client}`)).toBe(404)
  })
})

describe('several roles', () => {
  test('add up: whole records of one’s own caseload, limited ones of all others', async () => {
    const both = await kit.person(['clinician', 'front_desk'])
    const [own, other] = [await recordsOf(both), await recordsOf(await kit.person(['clinician']))]
    expect((await both.call('GET', `/clients/${own.client}`)).body).toMatchObject({
      diagnoses: [{}],
      goals: [expect.any(String)],
    })
    const limited = (await both.call('GET', `/clients/${other.client}`)).body
    expect(limited).toMatchObject({ diagnoses: [], withheld: expect.arrayContaining(['diagnoses', 'insurance', 'goals']) })
    const list = (await both.call('GET', '/clients?limit=200')).body.data as { id: string; diagnoses: unknown[] }[]
    expect(list.find(({ id }) => id === own.client)?.diagnoses).toHaveLength(1)
    expect(list.find(({ id }) => id === other.client)?.diagnoses).toHaveLength(0)
    expect(await statusOf(both, `/notes/${other.note}`)).toBe(404)
  })
  test('biller and auditor together see of a client what either sees, of a note what the biller sees', async () => {
    const both = await kit.person(['biller', 'auditor'])
    const { client, note } = await recordsOf(null)
    const list = (await both.call('GET', '/clients?limit=200')).body.data as { id: string; insurance: unknown }[]
    expect(list.find(({ id }) => id === client)?.insurance).not.toBeNull()
    expect((await both.call('GET', `/notes/${note}`)).body).toMatchObject({ sections: [], billing: { cpt_code: '90834' } })
  })
})

describe('whose a new record is', () => {
  test('a clinician’s own, where nobody is named; a colleague’s is not theirs to name', async () => {
    const [clinician, colleague] = [await kit.person(['clinician']), await kit.person(['clinician'])]
    const made = await clinician.call('POST', '/clients', name)
    expect(made.body.clinician_id).toBe(clinician.id)
    const forbidden = await clinician.call('POST', '/clients', { ...name, clinician_id: colleague.id })
    expect([forbidden.status, forbidden.body.detail]).toEqual([403, expect.stringContaining('clinician_id')])
    const away = { clinician_id: colleague.id }
    expect((await clinician.call('PATCH', `/clients/${made.body.id}`, away, changing)).status).toBe(403)
    expect((await clinician.call('PATCH', `/clients/${made.body.id}`, { clinician_id: null }, changing)).status).toBe(403)
    const session = {
      client_id: made.body.id,
      session_type: 'individual',
      starts_at: '2028-01-03T10:00:00Z',
      duration_minutes: 50,
    }
    expect((await clinician.call('POST', '/sessions', session)).body.clinician_id).toBe(clinician.id)
  })
  test('the owner’s, where the owner names nobody; and whoever’s the owner or the front desk names', async () => {
    const [owner, desk, clinician] = [
      await kit.person(['owner']),
      await kit.person(['front_desk']),
      await kit.person(['clinician']),
    ]
    expect((await owner.call('POST', '/clients', name)).body.clinician_id).toBeNull()
    expect((await desk.call('POST', '/clients', name)).body.clinician_id).toBeNull()
    for (const person of [owner, desk]) {
      const made = await person.call('POST', '/clients', { ...name, clinician_id: clinician.id })
      expect([made.status, made.body.clinician_id]).toEqual([201, clinician.id])
      expect(await statusOf(clinician, `/clients/${made.body.id}`)).toBe(200)
    }
  })
  test('booked at the desk, a session is of the clinician who treats the client', async () => {
    const [desk, clinician] = [await kit.person(['front_desk']), await kit.person(['clinician'])]
    const { client } = await recordsOf(clinician)
    const session = { client_id: client, session_type: 'individual', starts_at: '2028-02-07T10:00:00Z', duration_minutes: 50 }
    expect((await desk.call('POST', '/sessions', session)).body.clinician_id).toBe(clinician.id)
  })
  test('a time that is taken names the session in the way to who reaches it', async () => {
    const [clinician, colleague] = [await kit.person(['clinician']), await kit.person(['clinician'])]
    const [mine, theirs] = [await recordsOf(clinician), await recordsOf(colleague)]
    const at = { session_type: 'individual', starts_at: '2028-04-03T10:00:00Z', duration_minutes: 50, room_id: newId() }
    const taken = await colleague.call('POST', '/sessions', { client_id: theirs.client, ...at })
    const body = { client_id: mine.client, ...at }
    const refused = await clinician.call('POST', '/sessions', body)
    expect([refused.status, refused.body.detail]).toEqual([409, 'The room is already booked at this time.'])
    const told = await (await kit.person(['owner'])).call('POST', '/sessions', { ...body, clinician_id: clinician.id })
    expect([told.status, told.body.detail]).toEqual([409, expect.stringContaining(taken.body.id)])
    const later = await clinician.call('POST', '/sessions', { ...body, starts_at: '2028-04-03T12:00:00Z' })
    const moved = await clinician.call('PATCH', `/sessions/${later.body.id}`, { starts_at: at.starts_at }, changing)
    expect([moved.status, moved.text.includes(taken.body.id)]).toEqual([409, false])
  })
  test('a supervisor may name those supervised', async () => {
    const supervisor = await kit.person(['supervisor'])
    const trainee = await kit.person(['clinician'], { supervisor: supervisor.id })
    expect((await supervisor.call('POST', '/clients', { ...name, clinician_id: trainee.id })).status).toBe(201)
    expect((await supervisor.call('POST', '/clients', { ...name, clinician_id: newId() })).status).toBe(403)
  })
})

describe('what follows its client', () => {
  test('a session that a colleague holds is reached by the colleague, with its transcript and note, and nothing else of the client', async () => {
    const [clinician, covering] = [await kit.person(['clinician']), await kit.person(['clinician'])]
    const [desk, of] = [await kit.person(['front_desk']), await recordsOf(clinician)]
    const starts_at = '2028-03-06T10:00:00Z'
    const asked = { client_id: of.client, session_type: 'individual', starts_at, duration_minutes: 50, clinician_id: covering.id }
    const session = (await desk.call('POST', '/sessions', asked)).body.id as string
    expect(await statusOf(covering, `/sessions/${session}`)).toBe(200)
    expect(await statusOf(clinician, `/sessions/${session}`)).toBe(200)
    for (const path of [`/clients/${of.client}`, `/sessions/${of.session}`, `/transcripts/${of.transcript}`, `/notes/${of.note}`])
      expect([path, await statusOf(covering, path)]).toEqual([path, 404])
    const drafted = await covering.call('POST', '/notes/generate', {
      session_type: 'individual',
      duration_minutes: 50,
      presenting_concerns: [],
      interventions: [],
      client_response: '',
      session_id: session,
    })
    expect(drafted.status).toBe(201)
    expect(await statusOf(covering, `/notes/${drafted.body.id}`)).toBe(200)
  })
  test('an analysis quotes the session before only to who reaches that too', async () => {
    const [clinician, covering] = [await kit.person(['clinician']), await kit.person(['clinician'])]
    const of = await recordsOf(clinician)
    const later = await kit.write(kit.practice, async (write) => {
      const session = aSession({ id: of.client, clinician_id: covering.id })
      await insertSession(write, kit.practice, session)
      const analysis = anAnalysis(session)
      const changes = { session_id: of.session, starts_at: '2026-01-01T00:00:00.000Z', items: [] }
      await insertAnalysis(write, kit.practice, { ...analysis, changes }, covering.id)
      return analysis.id
    })
    expect((await clinician.call('GET', `/analyses/${later}`)).body['changes']).toMatchObject({ session_id: of.session })
    expect((await covering.call('GET', `/analyses/${later}`)).body['changes']).toBeNull()
    expect((await covering.call('GET', '/analyses')).body.data).toMatchObject([{ id: later, changes: null }])
  })
  test('a client who is shared is reached by both; taken back, by one', async () => {
    const [owner, clinician, other] = [
      await kit.person(['owner']),
      await kit.person(['clinician']),
      await kit.person(['clinician']),
    ]
    const { client, note } = await recordsOf(clinician)
    const share = (shared_clients: string[]) => owner.call('PATCH', `/staff/${other.id}`, { shared_clients }, changing)
    expect(await statusOf(other, `/notes/${note}`)).toBe(404)
    expect((await share([client])).status).toBe(200)
    expect(await statusOf(other, `/notes/${note}`)).toBe(200)
    expect(((await other.call('GET', '/clients')).body.data as { id: string }[]).map(({ id }) => id)).toEqual([client])
    await share([])
    expect(await statusOf(other, `/notes/${note}`)).toBe(404)
  })
  test('a note of nobody is its author’s', async () => {
    const [clinician, colleague] = [await kit.person(['clinician']), await kit.person(['clinician'])]
    const made = await clinician.call('POST', '/notes/generate', {
      session_type: 'individual',
      duration_minutes: 50,
      presenting_concerns: [],
      interventions: [],
      client_response: '',
    })
    expect(await statusOf(clinician, `/notes/${made.body.id}`)).toBe(200)
    expect(await statusOf(colleague, `/notes/${made.body.id}`)).toBe(404)
  })
  test('a record is not moved to a session or client out of reach', async () => {
    const clinician = await kit.person(['clinician'])
    const [own, other] = [await recordsOf(clinician), await recordsOf(null)]
    const engine = { name: 'import', version: '1', model: null }
    const transcript = { session_id: other.session, language: null, duration_ms: null, speakers: [], segments: [], engine }
    expect((await clinician.call('PUT', `/transcripts/${own.transcript}`, transcript, changing)).status).toBe(404)
    expect((await clinician.call('PUT', `/transcripts/${newId()}`, transcript)).status).toBe(404)
    const note = { template: 'soap', sections: [], unsupported: [], omissions: [], checks: [], engine, session_id: null }
    expect((await clinician.call('PUT', `/notes/${own.note}`, { ...note, client_id: other.client }, changing)).status).toBe(404)
  })
})

describe('long work', () => {
  test('is for who asked for it and who reaches its session; not for a colleague, and not once the client is another’s', async () => {
    const supervisor = await kit.person(['supervisor'])
    const clinician = await kit.person(['clinician'], { supervisor: supervisor.id })
    const [owner, colleague] = [await kit.person(['owner']), await kit.person(['clinician'])]
    const of = await recordsOf(clinician)
    const started = await clinician.call('POST', '/ai/analyze', { transcript_id: of.transcript }, atOnce)
    const path = `/operations/${started.body.id}`
    const over = async () => (await clinician.call('GET', path)).body.status === 'succeeded'
    while (!(await over()));
    expect(await statusOf(supervisor, path)).toBe(200)
    expect(await statusOf(colleague, path)).toBe(404)
    expect((await colleague.call('DELETE', path)).status).toBe(404)
    await owner.call('PATCH', `/clients/${of.client}`, { clinician_id: colleague.id }, changing)
    await owner.call('PATCH', `/sessions/${of.session}`, {}, changing)
    await kit.write(kit.practice, (write) =>
      write.updateTable('sessions').set({ clinician_id: colleague.id }).where('id', '=', of.session).execute(),
    )
    expect(await statusOf(clinician, path)).toBe(404)
    expect(await statusOf(colleague, path)).toBe(200)
  })
  test('a replay says no more than reading would: a client given to a colleague is not there', async () => {
    const [owner, clinician, colleague] = [
      await kit.person(['owner']),
      await kit.person(['clinician']),
      await kit.person(['clinician']),
    ]
    const key = { 'Idempotency-Key': newId() }
    const made = await clinician.call('POST', '/clients', name, key)
    expect((await clinician.call('POST', '/clients', name, key)).headers.get('idempotency-replayed')).toBe('true')
    await owner.call('PATCH', `/clients/${made.body.id}`, { clinician_id: colleague.id, goals: ['hers'] }, changing)
    const replay = await clinician.call('POST', '/clients', name, key)
    expect([replay.status, replay.text.includes('hers')]).toEqual([404, false])
  })
})

describe('a purpose', () => {
  const audited = async (outcome: string) => {
    const rows = await kit.ask<{ event: string }>('select event from audit_events order by seq desc limit 1')
    expect(JSON.parse(rows[0]!.event)).toMatchObject({ outcome })
    return JSON.parse(rows[0]!.event) as { purpose: string | null; entities: string[] }
  }
  test('is stated by the owner who reads beyond their own caseload, and audited; lists hold the caseload without', async () => {
    const owner = await kit.person(['owner'])
    const [own, other] = [await recordsOf(null), await recordsOf(await kit.person(['clinician']))]
    expect(await statusOf(owner, `/notes/${own.note}`)).toBe(200)
    const refused = await owner.call('GET', `/notes/${other.note}`)
    expect([refused.status, refused.body.code]).toEqual([403, 'purpose-missing'])
    expect(await audited('403 purpose-missing')).toMatchObject({ purpose: null, entities: [other.note] })
    const read = await owner.call('GET', `/notes/${other.note}`, undefined, { 'Purpose-Of-Use': 'hcompl' })
    expect(read.status).toBe(200)
    expect(await audited('200')).toMatchObject({ purpose: 'HCOMPL', entities: [other.note] })
  })
  test('that is none of the codes is refused', async () => {
    const owner = await kit.person(['owner'])
    const answer = await owner.call('GET', '/clients', undefined, { 'Purpose-Of-Use': 'because' })
    expect([answer.status, answer.body.code, answer.text.includes('because')]).toEqual([400, 'bad-request', false])
  })
})
