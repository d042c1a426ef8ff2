import { describe, expect, test } from 'vitest'
import { initialsOf, monogramOf } from '#domain/names.ts'
import { clientPath, parseRoute, sessionPath } from '#renderer/lib/routes.ts'
import { placesOf } from '#renderer/lib/places.ts'
import { checkFields, emptyFields, fieldsOf, toPatch } from '#renderer/features/clients/client-form.ts'
import { writerChoices } from '#renderer/strings/engines.ts'
import { participantsOf, checkSession, newFields, nextHalfHour, toSessionDraft } from '#renderer/sessions/new-session-form.ts'
import { appointmentActions, isUnconfirmed, nextSession, sessionStatus, whatIsLeft } from '#renderer/sessions/session-status.ts'
import { at, clientNamed, demoSessions, demoSettings, sessionRow } from '#test/support/demo-records.ts'

describe('addresses', () => {
  test('every page has one, and an unknown one is Today', () => {
    expect(parseRoute('#/clients')).toEqual({ page: 'clients', client_id: null, isAdding: false, tab: 'overview' })
    expect(parseRoute('#/clients/1')).toEqual({ page: 'clients', client_id: '1', isAdding: false, tab: 'overview' })
    expect(parseRoute(`#${clientPath('1', 'brief')}`)).toEqual({ page: 'clients', client_id: '1', isAdding: false, tab: 'brief' })
    expect(parseRoute('#/settings')).toEqual({ page: 'settings', section: null, setting: null })
    expect(parseRoute('#/nowhere')).toEqual({ page: 'today' })
    expect(parseRoute('')).toEqual({ page: 'today' })
  })
  test('a session opens at a tab, and its transcript at a segment', () => {
    expect(parseRoute(`#${sessionPath('1', 'transcript', 's 7')}`)).toEqual({
      page: 'session',
      id: '1',
      tab: 'transcript',
      place: 's 7',
    })
    expect(parseRoute(`#${sessionPath('1', 'note', 's 7')}`)).toMatchObject({ tab: 'note', place: 's 7' })
    expect(parseRoute('#/sessions/1/nonsense')).toMatchObject({ tab: 'record' })
  })
})

test('a model on this laptop can be chosen where the app can run one, and stays in sight where it was chosen', () => {
  const valuesOf = (...given: Parameters<typeof writerChoices>) => writerChoices(...given).map(({ value }) => value)
  expect(valuesOf('rules', true)).toEqual(['rules', 'server', 'model'])
  expect(valuesOf('rules', false)).toEqual(['rules', 'server'])
  expect(valuesOf('model', false)).toEqual(['rules', 'server', 'model'])
})

describe('names', () => {
  test.each([
    ['Maren Voss', 'M. V.', 'MV'],
    ['Ada and Jonah Pell', 'A. J. P.', 'AP'],
    ['Kofi Amadi-Reyes', 'K. A.', 'KA'],
    ['王小明', '王.', '王'],
    ['Élodie', 'É.', 'É'],
  ])('%s is %s while names are hidden', (name, hidden, monogram) => {
    expect(initialsOf(name)).toBe(hidden)
    expect(monogramOf(name)).toBe(monogram)
  })
})

describe('where things go', () => {
  test('a speech server on this laptop is no other place', () => {
    expect(placesOf(demoSettings)).toEqual({ speech_host: null, writer_host: null, hasPractice: false })
    expect(placesOf({ ...demoSettings, speech_address: 'https://speech.example.org/v1' }).speech_host).toBe('speech.example.org')
    const written = { ...demoSettings, language_address: 'https://models.example.org/v1' }
    expect(placesOf({ ...written, language_engine: 'server' }).writer_host).toBe('models.example.org')
    expect(placesOf(written).writer_host).toBeNull()
    expect(placesOf({ ...demoSettings, service_address: 'https://practice.example.org/v1' }).hasPractice).toBe(true)
  })
})

describe('a client’s fields', () => {
  const { client } = clientNamed('Maren')
  test('only what was changed is sent', () => {
    expect(toPatch(fieldsOf(client), client)).toEqual({})
    expect(toPatch({ ...fieldsOf(client), pronouns: ' ', phone: '555' }, client)).toEqual({ pronouns: null, phone: '555' })
  })
  test('a name is needed, and a birthday that can be', () => {
    expect(Object.keys(checkFields({ ...emptyFields, date_of_birth: '2999-01-01' }))).toEqual(['display_name', 'date_of_birth'])
    expect(checkFields({ ...emptyFields, display_name: 'Maren', date_of_birth: '1992-03-09' })).toEqual({})
  })
})

describe('a new session', () => {
  const { client } = clientNamed('Ada')
  const now = new Date(2026, 10, 24, 13, 48)
  test('begins at the next half hour, or just now', () => {
    expect(nextHalfHour(now)).toEqual(new Date(2026, 10, 24, 14, 0))
    expect(nextHalfHour(new Date(2026, 10, 24, 14, 4))).toEqual(new Date(2026, 10, 24, 14, 0))
    expect(nextHalfHour(new Date(2026, 10, 24, 23, 50))).toEqual(new Date(2026, 10, 25, 0, 0))
  })
  test('with others in the room, everybody who must agree stands in it', () => {
    const draft = toSessionDraft(
      { ...newFields(client.id, nextHalfHour(now)), session_type: 'couple', others: ' Jonah Pell \n\n' },
      client,
    )
    expect(draft?.participants).toEqual([
      { name: 'Ada and Jonah Pell', role: 'client' },
      { name: 'Jonah Pell', role: 'partner' },
    ])
    expect(toSessionDraft(newFields(client.id, nextHalfHour(now)), client)?.participants).toEqual([])
  })
  test('is not made while a field is wrong', () => {
    const wrong = { ...newFields(null, nextHalfHour(now)), minutes: '3', time: '' }
    expect(Object.keys(checkSession(wrong)).toSorted()).toEqual(['client_id', 'minutes', 'time'])
    expect(toSessionDraft(wrong, client)).toBeNull()
  })
})

describe('what a session says of itself', () => {
  const idle = { state: 'idle', progress: 0, error: null } as const
  test('without consent it asks, before anything else can be done', () => {
    const row = sessionRow('Samuel', at(24, 15), { consent: { granted: [], missing: [] } })
    expect(sessionStatus(row)).toMatchObject({ action: 'Ask now', tab: 'consent' })
  })
  test('somebody else’s missing consent keeps the microphone closed too', () => {
    const row = sessionRow('Ada', at(24, 15), {
      consent: { granted: ['record'], missing: [{ participant: { name: 'Jonah', role: 'partner' }, scopes: ['record'] }] },
    })
    expect(sessionStatus(row).chip?.tone).toBe('needs')
  })
  test('without a speech engine it says so, and the way to a transcript', () => {
    const row = sessionRow('Ines', at(24, 9), {
      session: { status: 'completed' },
      transcript: { present: false, work: { state: 'waiting', progress: 0, error: 'engine-not-ready' } },
    })
    expect(sessionStatus(row)).toMatchObject({
      chip: { tone: 'needs', text: 'Recorded, needs a transcript' },
      action: 'Set up',
      tab: 'transcript',
    })
    expect(whatIsLeft(row)).toContain('Recorded, needs a transcript')
  })
  test('recorded with consent to a transcript and none made, it needs a transcript, not yet a note', () => {
    const held = {
      session: { status: 'completed' as const },
      owes_note: true,
      transcript: { present: false, work: idle },
      note_work: idle,
    }
    const recording = { id: 'r', state: 'finished' as const, saved_ms: 60_000, unreadable_ms: 0 }
    const consent = { granted: ['record' as const, 'transcribe' as const], missing: [] }
    const row = sessionRow('Ines', at(24, 9), { ...held, recording, consent })
    expect(sessionStatus(row)).toMatchObject({
      chip: { text: 'Recorded, needs a transcript' },
      action: 'Transcribe',
      tab: 'transcript',
    })
    expect(whatIsLeft(row)).toBe('Recorded, needs a transcript.')
    const lacking = [
      { ...held, consent, recording: { ...recording, unreadable_ms: 60_000 } },
      { ...held, recording, consent: { ...consent, granted: ['record' as const] } },
    ]
    for (const other of lacking) expect(sessionStatus(sessionRow('Ines', at(24, 9), other)).chip?.text).toBe('Needs note')
  })
  test('a draft whose writer is not ready waits for it, and does not seem to be written', () => {
    const row = sessionRow('Ines', at(24, 9), {
      session: { status: 'completed' },
      transcript: { present: true, work: idle },
      note_work: { state: 'waiting', progress: 0, error: 'engine-not-ready' },
    })
    expect(sessionStatus(row)).toMatchObject({ chip: { tone: 'needs', text: 'Waiting for AI drafting' }, tab: 'note' })
    expect(whatIsLeft(row)).toContain('AI drafting')
  })
  test('a signed note is the end of it', () => {
    const row = sessionRow('Teo', at(24, 9), {
      note: { id: 'n', status: 'signed', template: 'soap', to_check: 0 },
      note_work: idle,
    })
    expect(sessionStatus(row)).toMatchObject({ chip: { tone: 'kept', text: 'Signed' }, action: null, tab: 'note' })
  })
  test('the next one is the first that is neither over nor called off', () => {
    const today = demoSessions.filter(({ session }) => session.starts_at >= at(24, 0) && session.starts_at < at(25, 0))
    expect(nextSession(today, new Date(2026, 10, 24, 13, 48))?.client_name).toBe('Maren Voss')
    expect(nextSession(today, new Date(2026, 10, 24, 14, 30))?.client_name).toBe('Maren Voss')
    expect(nextSession(today, new Date(2026, 10, 24, 14, 51))?.client_name).toBe('Samuel Orrin')
    expect(nextSession(today, new Date(2026, 10, 24, 20))).toBeNull()
  })
})

describe('what can be done to an appointment', () => {
  const now = new Date(2026, 10, 24, 13, 48)
  const offered = (...of: Parameters<typeof sessionRow>) => appointmentActions(sessionRow(...of), now)
  const note = { id: 'n', status: 'signed', template: 'soap', to_check: 0 } as const
  const recording = { id: 'r', state: 'finished', saved_ms: 1000, unreadable_ms: 0 } as const

  test('to come, it is moved, changed, canceled or deleted; a no-show is for what has begun', () => {
    expect(offered('Priya', at(24, 16))).toEqual(['reschedule', 'edit', 'cancel', 'delete'])
    expect(offered('Priya', at(24, 13, 30))).toEqual(['reschedule', 'edit', 'no_show', 'cancel', 'delete'])
  })
  test('over and not answered, it is held, missed or canceled', () => {
    const row = sessionRow('Priya', at(24, 10))
    expect(appointmentActions(row, now)).toEqual(['held', 'reschedule', 'edit', 'no_show', 'cancel', 'delete'])
    expect(isUnconfirmed(row)).toBe(true)
    expect(sessionStatus(row)).toEqual({ chip: { tone: 'needs', text: 'Needs note' }, action: null, tab: 'note' })
    expect(isUnconfirmed(sessionRow('Priya', at(24, 10), { recording }))).toBe(false)
  })
  test('recorded, its details can change; its deletion is refused in words', () => {
    expect(offered('Priya', at(24, 10), { session: { status: 'completed' }, recording })).toEqual(['edit', 'delete'])
  })
  test('canceled or missed, it is put back; while it is recorded or once it is signed, nothing is offered', () => {
    expect(offered('Priya', at(24, 10), { session: { status: 'cancelled' } })).toEqual(['restore', 'delete'])
    expect(offered('Priya', at(24, 10), { session: { status: 'no_show' }, recording })).toEqual(['restore'])
    expect(offered('Priya', at(24, 10), { recording: { ...recording, state: 'paused' } })).toEqual([])
    expect(offered('Priya', at(24, 10), { note })).toEqual([])
  })
  test('a late cancellation says so', () => {
    const cancellation = { is_late: true, reason: null, is_deleted: false }
    const row = sessionRow('Priya', at(24, 10), { session: { status: 'cancelled' }, cancellation })
    expect(sessionStatus(row).chip?.text).toBe('Late cancel')
  })
  test('saved as it was, its people stay with the parts they have', () => {
    const known = [
      { name: 'Ada Pell', role: 'client' as const },
      { name: 'Ida Pell', role: 'parent' as const },
    ]
    const fields = { session_type: 'family' as const, modality: 'video' as const, others: 'Ida Pell' }
    expect(participantsOf('Ada and Jonah Pell', fields, known)).toEqual(known)
  })
})
