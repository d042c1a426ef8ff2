import { describe, expect, test } from 'vitest'
import type { NoteBody, Statement } from '#contract/model/note.ts'
import { checkDataDraft } from '#engines/language/check/check-data-draft.ts'
import type { DataDraftRequest } from '#engines/language/port.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'
import { noteWith } from './support/cases.ts'

const request: DataDraftRequest = {
  template: 'soap',
  session: null,
  client: null,
  session_type: 'individual',
  duration_minutes: 50,
  presenting_concerns: ['Panic on the bus, twice this week', 'Takes sertraline 50 mg'],
  interventions: ['Breathing exercise'],
  client_response: 'Felt calmer afterwards.',
}

function written(text: string): Statement {
  return {
    id: 'st_1',
    text,
    evidence: [],
    support: 'paraphrase',
    origin: 'model',
    finding: null,
    safety: false,
    confirmed_at: null,
  }
}

function checked(text: string): NoteBody {
  return checkDataDraft(noteWith([written(text)]), request)
}

describe('a draft from typed fields holds those fields and nothing else', () => {
  test('every line of the rules passes as it is', async () => {
    const draft = await rulesLanguage().draftFromData(request)
    const after = checkDataDraft(draft, request)
    expect(after.sections.map(({ statements }) => statements.map(({ text }) => text))).toEqual(
      draft.sections.map(({ statements }) => statements.map(({ text }) => text)),
    )
    expect(after.unsupported).toEqual(draft.unsupported)
  })

  test('fields as long as they may be pass as far as they are written, and nothing else that long does', async () => {
    const field = (at: number) => `Wakes at ${at} and worries about ${at} things. `.repeat(200).slice(0, 3990)
    const long = { ...request, presenting_concerns: Array.from({ length: 40 }, (_, at) => field(at)) }
    const draft = await rulesLanguage().draftFromData(long)
    expect(checkDataDraft(draft, long).unsupported).toEqual(draft.unsupported)
    const other = checkDataDraft(noteWith([written(field(41))]), long)
    expect(other.unsupported[0]?.reason).toBe('it is too long to be checked')
  })

  test.each([
    'Client reports panic on the bus twice this week.',
    'Client felt calmer afterwards.',
    'Takes sertraline 50 mg.',
    'Session: individual, 50 minutes.',
  ])('kept: %s', (text) => {
    expect(checked(text).sections[0]?.statements.map((each) => each.text)).toEqual([text])
  })

  test.each([
    'Client reports panic on the train twice this week.',
    'Client reports panic on the bus three times this week.',
    'Takes fluoxetine 50 mg.',
    'Client felt worse afterwards.',
    'Mood euthymic.',
    'Denies suicidal ideation.',
    'Client has a history of trauma.',
    'Session: individual, 60 minutes.',
  ])('left out: %s', (text) => {
    const note = checked(text)
    expect(note.sections[0]?.statements).toEqual([])
    expect(note.unsupported[0]?.text).toBe(text)
  })
})
