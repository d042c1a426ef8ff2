import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noteBodySchema, type NoteBody } from '#contract/model/note.ts'
import { builtInTemplates, type OwnTemplate } from '#contract/model/template.ts'
import type { DraftRequest } from '#engines/language/port.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'
import { dialoguesIn, requestOf } from './support/dialogue.ts'
import { drafted, statementsOf, talk, textOf } from './support/session.ts'

const fixtures = join(import.meta.dirname, '../../fixtures/therapy-own')

const lines = [
  'T: How have you been since last week?',
  'C: I have been sleeping really badly since the move.',
  'T: Any thoughts of ending your life?',
  'C: No.',
  'T: Are you taking any medication?',
  'C: I started taking sertraline two weeks ago.',
  'T: What would you like to work on?',
  'C: My goal is to sleep through the night again by the spring.',
  'T: It sounds like the move took your nights away.',
  'C: Exactly, that is what it is.',
  'T: Today we will do a thought record together. What went through your mind last night?',
  'C: That I will never get used to this place.',
  'C: I think writing it down helps me.',
  "T: I'd like you to write one page every evening before next week.",
  'C: Okay, I can do that.',
  'T: Shall we meet next Tuesday at three again?',
  'C: Yes, Tuesday is fine.',
]

/** Small everyday matters, so that there is room in the note for what matters. */
const everyday = [
  'T: And the days?',
  'C: I walk to the harbour in the morning and look at the boats for a while before work begins.',
  'C: My sister calls on Sundays and we talk about the garden and the neighbours and the weather at home.',
  'T: Tell me about work.',
  'C: I sort the post at the office and carry it to the other floors, and nobody talks much there.',
  'C: I eat my lunch on the stairs because the kitchen is always full of people I do not know yet.',
  'T: Mm-hmm.',
  'C: I bought curtains on Saturday and I hung them up in the evening with the radio on.',
  'C: I cook soup for three days at once because I do not like the stove in the new flat.',
]
const middle = lines.indexOf('T: It sounds like the move took your nights away.')
const session = [...lines.slice(0, middle), ...everyday, ...lines.slice(middle)]

const appointment = {
  id: '018f7f5e-0000-7000-8000-00000000000c',
  session_type: 'individual' as const,
  modality: 'in_person' as const,
  starts_at: '2026-11-24T10:00:00Z',
  duration_minutes: 50,
  time_zone: 'UTC',
}
const held = (template: DraftRequest['template']): DraftRequest => ({ ...talk(session, template), session: appointment })

const section = (note: NoteBody, key: string): string =>
  note.sections
    .find((each) => each.key === key)
    ?.statements.map(({ text }) => text)
    .join('\n') ?? ''

const own = (sections: OwnTemplate['sections'], style: Partial<OwnTemplate['style']> = {}): OwnTemplate => ({
  id: '018f7f5e-0000-7000-8000-00000000000a',
  name: 'Mine',
  created_at: '2026-11-24T10:00:00Z',
  updated_at: '2026-11-24T10:00:00Z',
  version: 1,
  sections,
  style: { length: 'usual', client_as: 'name', ...style },
})

const inOwn = (form: OwnTemplate): DraftRequest => ({ ...held('soap'), template: `own:${form.id}`, own: form })

describe('the field’s forms', () => {
  test.each(builtInTemplates)(
    '%s has a statement in every section, passes the contract, and says each thing once',
    async (template) => {
      const note = await drafted(held(template))
      expect(noteBodySchema.parse(note)).toEqual(note)
      expect(note.sections.every(({ statements }) => statements.length > 0)).toBe(true)
      const texts = statementsOf(note)
        .filter(({ evidence }) => evidence.length > 0)
        .map(({ text }) => text)
      expect(new Set(texts).size).toBe(texts.length)
    },
  )

  test.each(builtInTemplates)('%s from the session’s own fields holds nothing that was not given', async (template) => {
    const note = await rulesLanguage().draftFromData({
      template,
      session: null,
      client: null,
      session_type: 'individual',
      duration_minutes: 50,
      presenting_concerns: ['Sleep'],
      interventions: ['Thought record'],
      client_response: 'Engaged',
    })
    expect(noteBodySchema.parse(note)).toEqual(note)
    const said = statementsOf(note).filter(({ support }) => support === 'clinician_entered')
    expect(said.map(({ text }) => text).toSorted()).toEqual([
      'Client response: Engaged.',
      'Intervention: Thought record.',
      'Presenting concern: Sleep.',
      'Session: individual, 50 minutes.',
    ])
  })

  test('what belongs to the clinician is left to the clinician', async () => {
    const plan = await drafted(held('treatment_plan'))
    for (const key of ['diagnosis', 'objectives', 'discharge_criteria', 'review_date'])
      expect(section(plan, key)).toBe('Left to the clinician.')
    expect(section(plan, 'goals')).toContain('sleep through the night')
    expect(section(await drafted(held('discharge')), 'reason')).toBe('Left to the clinician.')
  })

  test('in a PIE note a plan line says that it is the plan', async () => {
    expect(section(await drafted(held('pie')), 'evaluation')).toMatch(/^Plan: /m)
  })

  test('each partner’s words stand under that partner’s name', async () => {
    const couple = dialoguesIn(fixtures).find(({ id }) => id === '12-the-blue-room')!
    const note = await drafted(requestOf(couple, 'couples'))
    expect(note.sections.map(({ title }) => title).slice(0, 3)).toEqual(['Henrik', 'Noor', 'Together'])
    const speakers = new Map(couple.turns.map(({ speaker_id }, index) => [`segment-${index}`, speaker_id]))
    const voice = (name: string) => couple.speakers.find((speaker) => speaker.name.startsWith(name))!.id
    for (const [index, name] of ['Henrik', 'Noor'].entries())
      for (const { evidence } of note.sections[index]!.statements)
        expect(evidence.map(({ segment_id }) => speakers.get(segment_id))).toContain(voice(name))
    expect(section(note, 'partner_2')).toContain('seven kilos')
    expect(section(note, 'partner_1')).not.toContain('seven kilos')
  })
})

describe('a group note', () => {
  const group = [
    'T: Welcome, everyone. Today we will practise a breathing exercise.',
    'A: I have been sleeping badly since the funeral.',
    'B: I relapsed on Friday and drank a whole bottle.',
    'T: Bruno, any thoughts of ending your life?',
    'B: Yes, on Saturday night.',
    'A: When Bruno told us that, I was scared for him.',
    'T: Ada, any thoughts of ending your life?',
    'A: No.',
    'A: My goal is to go back to the choir.',
    'T: Let us breathe in and count to four.',
    'A: That helps me a lot.',
    "T: I'd like you to try the breathing every evening before next week.",
    'B: I will try it with Celia.',
  ]
  const request = (): DraftRequest => {
    const asked = talk(group, 'group', { T: 'therapist', A: 'client', B: 'client' })
    const names: Record<string, string> = { T: 'Leader', A: 'Ada', B: 'Bruno' }
    return { ...asked, session: appointment, speakers: asked.speakers.map((each) => ({ ...each, label: names[each.id]! })) }
  }

  test('holds the leaders’ words and this member’s own; no other member speaks, is quoted or is named', async () => {
    const note = await drafted(request())
    const everything = JSON.stringify([note.sections, note.omissions, note.unsupported])
    expect(everything).not.toMatch(/Bruno|Celia|relapsed|bottle|Saturday/)
    const cited = [...statementsOf(note), ...note.omissions].flatMap(({ evidence }) =>
      evidence.map(({ segment_id }) => segment_id),
    )
    const others = new Set(['segment-2', 'segment-4', 'segment-12'])
    expect(cited.filter((id) => others.has(id))).toEqual([])
    expect(textOf(note)).toMatch(/choir/)
    expect(section(note, 'member')).toMatch(/ending (?:her|your) life/)
  })

  test('without knowing whose voice is this client’s nothing any member said is in it, and the person is asked', async () => {
    const asked = request()
    const note = await drafted({ ...asked, client: { ...asked.client!, display_name: 'Zoe Vane', given_name: 'Zoe' } })
    expect(JSON.stringify([note.sections, note.omissions])).not.toMatch(/sleeping|choir|relapsed|funeral|Bruno|Ada/)
    expect(note.checks.map(({ code }) => code)).toContain('member-unknown')
  })

  test('counts members by the session’s own list, and names none', async () => {
    const participants = ['Ada Brook', 'Bruno Held', 'Celia Ash'].map((name) => ({ name, role: 'group_member' as const }))
    const groupSession = { ...appointment, session_type: 'group' as const, participants }
    const note = await drafted({ ...request(), session: groupSession })
    expect(section(note, 'group')).toContain('Members present: 3.')
    expect(JSON.stringify(note.sections)).not.toMatch(/Bruno|Celia/)
  })
})

describe('a person’s own form', () => {
  const all = own([
    { key: 'what_was_said', title: 'What was said', holds: ['said'], when_empty: 'not_stated' },
    { key: 'meds', title: 'Meds', holds: ['medication'], when_empty: 'not_assessed' },
    { key: 'mine', title: 'My impression', holds: [], when_empty: 'left_to_clinician' },
    { key: 'next', title: 'Next', holds: ['plan'], when_empty: 'not_stated' },
  ])

  test('has its sections in its order, each with what it asks for', async () => {
    const note = await drafted(inOwn(all))
    expect(noteBodySchema.parse(note)).toEqual(note)
    expect(note.sections.map(({ key }) => key)).toEqual(['what_was_said', 'meds', 'mine', 'next'])
    expect(section(note, 'meds')).toContain('sertraline')
    expect(section(note, 'what_was_said')).not.toContain('sertraline')
    expect(section(note, 'mine')).toBe('Left to the clinician.')
    expect(section(note, 'next')).toMatch(/write one page/)
  })

  test('what no section asks for is not in the draft; risk, medication and homework of it are offered', async () => {
    const note = await drafted(inOwn(own([{ key: 'done', title: 'Done', holds: ['interventions'], when_empty: 'not_stated' }])))
    expect(textOf(note)).not.toMatch(/sertraline|write one page/)
    expect(note.omissions.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['medication', 'homework']))
  })

  test('calls the client as the form says', async () => {
    const { sections } = all
    expect(textOf(await drafted(inOwn(own(sections, { client_as: 'initials' }))))).not.toMatch(/\bAda\b/)
    expect(textOf(await drafted(inOwn(own(sections, { client_as: 'client' }))))).not.toMatch(/\bAda\b|\bA\./)
    expect(textOf(await drafted(inOwn(all)))).toMatch(/\bAda\b/)
  })

  test('a short form’s draft is shorter than a full one’s', async () => {
    const long = dialoguesIn(fixtures)[0]!
    const words = async (length: 'short' | 'full') => {
      const form = own(all.sections, { length })
      const note = await drafted({ ...requestOf(long, 'soap'), template: `own:${form.id}`, own: form })
      return textOf(note).split(/\s+/).length
    }
    expect(await words('short')).toBeLessThan(await words('full'))
  })
})
