import { describe, expect, test } from 'vitest'
import { aRequest, answer } from './a-session.ts'
import { never, scripted, textsOf } from './scripted-model.ts'

describe('a group', () => {
  const speakers = [
    { id: 'T', label: 'Dr. Weiss', role: 'therapist' },
    { id: 'C', label: 'Ana', role: 'client' },
    { id: 'B', label: 'Ben', role: 'client' },
  ] as const
  const session = [
    ['T', 'How was the week for each of you?'],
    ['C', 'I slept badly, maybe three hours a night.'],
    ['B', 'My landlord threw me out on Tuesday.'],
    ['C', 'Ben told me about it. I felt sad all evening.'],
    ['T', 'Thank you both. Please keep a sleep diary.'],
  ] as const
  const request = aRequest({ template: 'group', speakers: [...speakers] }, session as never)

  test('a model is shown what leaders and this member said, and no one else’s words or names', async () => {
    const { port, asked } = scripted([answer({})])
    const { checks } = await port.draft(request, never)
    expect(asked[0]!.prompt).toContain('[2] Client 1: I slept badly')
    expect(asked[0]!.prompt).toContain('I felt sad all evening')
    expect(asked[0]!.prompt).not.toMatch(/landlord|Ben/)
    expect(checks.find(({ code }) => code === 'coverage')!.message).toContain('what the leaders and this client said')
  })
  test('and gets none of them into the note, as a statement or as a thing left out', async () => {
    const said = answer({
      member: [
        { text: 'Client 1 sleeps three hours a night.', evidence: [[2, 'maybe three hours a night']] },
        { text: 'The landlord threw somebody out on Tuesday.', evidence: [[3, 'My landlord threw me out on Tuesday']] },
        { text: 'Ben told about his landlord.', evidence: [[4, 'I felt sad all evening']] },
      ],
    })
    const body = await scripted([said]).port.draft(request, never)
    expect(textsOf(body)).toEqual(['Ana sleeps three hours a night.'])
    expect(JSON.stringify(body)).not.toMatch(/Ben\b/)
    expect(JSON.stringify(body)).not.toContain('landlord')
  })
  test('so too in a form that is not the group’s own, where the session was a group', async () => {
    const held = {
      id: '018f7f5e-0000-7000-8000-00000000000c',
      session_type: 'group' as const,
      modality: 'in_person' as const,
      starts_at: '2026-11-24T10:00:00Z',
      duration_minutes: 90,
      time_zone: 'UTC',
    }
    const inGroup = { ...request, template: 'soap' as const, session: held }
    const { port, asked } = scripted([answer({})])
    await port.draft(inGroup, never)
    expect(asked[0]!.prompt).toContain('I slept badly')
    expect(asked[0]!.prompt).not.toMatch(/landlord|Ben/)
  })
})
