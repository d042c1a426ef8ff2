import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readRoom } from '#service/language/rules/room.ts'
import { isMedicalVisit } from '#service/language/rules/visit/recognise.ts'
import { dialoguesIn, requestOf } from './support/dialogue.ts'
import { drafted, statementsOf, talk } from './support/session.ts'

const visit = [
  'T: Hi there. So this is a 52 year old woman with a history of asthma who is here for knee pain. What happened?',
  'C: I twisted my knee on the stairs last Monday. It has been swollen since then.',
  'T: Any fever or chills?',
  'C: No.',
  'T: Are you taking any medication for it?',
  'C: I have been taking ibuprofen twice a day and it upsets my stomach.',
  'T: Let me take a look at your knee. Your vital signs look good and your blood pressure is 128 over 76. On your knee exam, I do appreciate some tenderness over the medial joint line, and there is mild swelling. The x-ray of your knee shows no fracture.',
  'C: That is good to hear.',
  'T: So I think you have a sprain of the medial ligament. I want you to wear a brace for two weeks. We are going to stop the ibuprofen and start you on naproxen, two hundred and fifty milligrams twice a day. If it is not better in four weeks, we will get an MRI.',
  'C: All right. Thank you.',
]

function section(note: Awaited<ReturnType<typeof drafted>>, key: string): string {
  return (note.sections.find((each) => each.key === key)?.statements ?? []).map((statement) => statement.text).join('\n')
}

describe('a visit with an examination', () => {
  test('has the clinician’s findings, judgement and orders in their sections, each with the words it stands on', async () => {
    const note = await drafted({ ...talk(visit), client: null })
    expect(section(note, 'subjective')).toMatch(/52 year old woman with a history of asthma/)
    expect(section(note, 'subjective')).toMatch(/The patient twisted her knee on the stairs last Monday/)
    expect(section(note, 'subjective')).toMatch(/denies any fever or chills/)
    expect(section(note, 'objective')).toMatch(/knee exam, some tenderness over the medial joint line/)
    expect(section(note, 'objective')).toMatch(/no fracture/)
    expect(section(note, 'assessment')).toMatch(/The clinician thinks the patient has a sprain/)
    expect(section(note, 'plan')).toMatch(/The patient to wear a brace for 2 weeks/)
    for (const statement of statementsOf(note))
      expect(statement.evidence.length > 0 || /not (?:assessed|stated)/i.test(statement.text)).toBe(true)
  })

  test('an order keeps its condition', async () => {
    const note = await drafted(talk(visit))
    const scan = statementsOf(note).find((statement) => /\bMRI\b/.test(statement.text))
    expect(scan?.text).toMatch(/if it is not better in 4 weeks/i)
  })

  test('a change of medicine stands word for word and is to be looked at', async () => {
    const note = await drafted(talk(visit))
    const change = statementsOf(note).find((statement) => statement.text.includes('naproxen'))
    expect(change).toMatchObject({ safety: true, support: 'stated' })
    expect(change?.text).toContain('"stop the ibuprofen and start you on naproxen, two hundred and fifty milligrams twice a day"')
  })

  test('what may go wrong with a treatment is an explanation, and no finding', async () => {
    const told = [
      ...visit.slice(0, -1),
      'T: Risks of the injection include infection, bleeding and a flare of pain.',
      visit.at(-1)!,
    ]
    const note = await drafted(talk(told))
    expect(section(note, 'plan')).toMatch(/Explained: risks of the injection include infection, bleeding/i)
    expect(section(note, 'objective') + section(note, 'assessment')).not.toMatch(/bleeding/)
  })

  test('a question about what was just done is no denial of it', async () => {
    const pressed = [...visit.slice(0, 7), 'C: Okay.', 'T: Is that painful?', 'C: No.', ...visit.slice(7)]
    const text = statementsOf(await drafted(talk(pressed))).map((statement) => statement.text)
    expect(text.filter((line) => /that that/.test(line))).toEqual([])
  })

  test('a run without stops ends where it turns into a question', async () => {
    const run = visit.map((line) =>
      line.startsWith('T: Let me take a look')
        ? 'T: there is mild swelling over the medial joint line okay so what does that mean let me go ahead'
        : line,
    )
    const text = statementsOf(await drafted(talk(run))).map((statement) => statement.text)
    expect(text.find((line) => line.includes('swelling over'))).toMatch(/medial joint line\.?$/)
  })

  test('a pronoun comes from the record or from what was said, never from a name', async () => {
    const unsaid = visit.map((line) => line.replace('this is a 52 year old woman with', 'you are 52 with'))
    const text = section(await drafted({ ...talk(unsaid), client: null }), 'subjective')
    expect(text).toContain('knee on the stairs')
    expect(text).not.toMatch(/\b(?:she|her|he|his)\b/)
  })
})

const folders = ['dialogues', '../../fixtures/therapy', '../../fixtures/therapy-own']

test.each(
  folders.flatMap((folder) => dialoguesIn(path.join(import.meta.dirname, folder)).map((each) => [each.id, each] as const)),
)('therapy is never taken for a visit with an examination: %s', (_id, dialogue) => {
  expect(isMedicalVisit(readRoom(requestOf(dialogue, 'soap')))).toBe(false)
})

test('a therapist who says "you have normal sleep" or speaks of a prescription has not examined anybody', async () => {
  const lines = [
    'T: How has the week been since we last met?',
    'C: I slept better. My doctor put me on sertraline, fifty milligrams, and took some blood.',
    'T: So you have normal sleep again, and the blood test is done.',
    'C: Yes. He wants to increase it next month.',
    'T: Your doctor may increase the medication. What do you make of that?',
    'C: I am a bit worried about it.',
  ]
  expect(isMedicalVisit(readRoom(talk(lines)))).toBe(false)
  expect(section(await drafted(talk(lines)), 'objective')).toMatch(/^Not assessed/)
})

test('risk is told in a visit as in every session: what was asked and said, word for word', async () => {
  const risky = [
    ...visit.slice(0, 6),
    'T: Have you had any thoughts of ending your life?',
    'C: Sometimes I think everyone would be better off without me. I would not do anything.',
    ...visit.slice(6),
  ]
  const told = statementsOf(await drafted(talk(risky))).filter((statement) => statement.text.includes('better off without me'))
  expect(told.length).toBeGreaterThan(0)
  expect(told.every((statement) => statement.safety)).toBe(true)
  const remedy = visit.map((line) => line.replace('I have been taking ibuprofen', 'I took some tylenol'))
  const cues = statementsOf(await drafted(talk(remedy))).filter((statement) => statement.finding?.topic === 'suicidal thoughts')
  expect(cues).toEqual([])
})

test('a medication review keeps results, the judgement, homework put as a question and the next appointment', async () => {
  const note = await drafted(
    talk([
      'T: Hi, good to see you. How have things been since the last appointment?',
      "C: Better, I think. I'm sleeping about six hours now.",
      'T: Are you still taking the lithium, nine hundred milligrams at night?',
      'C: Yes, every night.',
      'T: Your lab results came back. The lithium level was 0.7, and your kidney function and your thyroid labs look normal. Your blood pressure was fine too.',
      'C: Good.',
      'T: Have you had any thoughts of ending your life?',
      'C: No, none.',
      "T: So I think the lithium is doing its job. I'd like to continue it at the same dose and repeat the labs in three months.",
      'C: All right.',
      'T: And could you keep the mood diary for the next two weeks?',
      'C: Yes, I can do that.',
      'T: Good. Same time in a fortnight?',
      'C: Yes. Thank you.',
    ]),
  )
  expect(section(note, 'subjective')).toMatch(/denies having had any thoughts of ending her life/)
  expect(section(note, 'objective')).toMatch(/lithium level was 0\.7/)
  expect(section(note, 'assessment')).toMatch(/The clinician thinks the lithium is doing its job/)
  expect(section(note, 'plan')).toMatch(/repeat the labs in 3 months/)
  expect(section(note, 'plan')).toMatch(/keep the mood diary/)
  expect(section(note, 'plan')).toMatch(/Next appointment: same time in a fortnight/i)
})

test('talk of panic in the body is still therapy, and a history of the body taken by questions is a visit', () => {
  const panic = [
    'T: So how was the week since we last met?',
    'C: I had two panic attacks. My heart was racing and my chest was tight, and I thought I would faint.',
    'T: What went through your mind when your heart was racing?',
    'C: That it is a heart attack. I was dizzy and my hands were tingling.',
    'T: And what did you do then?',
    'C: I left the shop and rang my sister, and after ten minutes it was gone.',
    'T: So you stayed with it until your sister picked up. That is new.',
    'C: I suppose it is. Last month I would have gone to the hospital.',
  ]
  const history = [
    'T: What brings you in today?',
    'C: A cough and a fever since Sunday, and my ears are blocked.',
    'T: Any chills, wheezing or shortness of breath?',
    'C: Chills, yes. No wheezing.',
    'T: Nausea, vomiting or diarrhea?',
    'C: No vomiting, but some nausea.',
    'T: Do you have asthma or allergies?',
    'C: I had asthma as a child.',
  ]
  expect(isMedicalVisit(readRoom(talk(panic)))).toBe(false)
  expect(isMedicalVisit(readRoom(talk(history)))).toBe(true)
})
