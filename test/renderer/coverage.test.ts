import { expect, test } from 'vitest'
import { storedCoverageSchema } from '#contract/model/coverage.ts'
import {
  draftOf,
  emptyApproval,
  wrongApproval,
  linesOf,
  headlineOf,
  leadOf,
  money,
  sentenceOf,
  shownOf,
} from '#renderer/features/clients/coverage-lines.ts'
import { messages, messagesIn } from '#renderer/strings/messages.ts'
import { demoCoverage } from '#test/support/demo-coverage.ts'

const now = new Date(2026, 10, 24, 13, 40)
const spanish = await messagesIn('es')
const [failed, said, , refused] = demoCoverage('said').checks.map((check) => storedCoverageSchema.parse(check))

test('a check without an answer hides no answer before it', () => {
  expect(shownOf([failed!, said!])?.id).toBe(said!.id)
  expect(shownOf([failed!])?.id).toBe(failed!.id)
  expect(shownOf([])).toBeNull()
})

test('the headline says what was said and no more; the amount is never a promise', () => {
  expect(headlineOf(said!, 'Maren')).toBe('Maren is covered. A visit will likely cost $20.')
  expect(leadOf(said!, now)).toBe(
    'From Northlake Health, yesterday at 4:12 PM, for a visit on November 24. You’re in network. This result isn’t a guarantee of payment.',
  )
  const silent = { ...said!, patient_estimate: null, mental_health: { ...said!.mental_health, covered: 'unknown' as const } }
  expect(headlineOf(silent, 'Maren')).toBe('Maren’s plan is active. The payer didn’t say whether it covers therapy.')
  expect(headlineOf(refused!, 'Maren')).toBe('Northlake Health couldn’t find Maren.')
})

test('each value cites its lines; what nobody said is null, never nothing to pay', () => {
  const lines = linesOf(said!)
  expect(lines.map(({ value }) => value)).toEqual([
    '$20.00',
    '$430 of $1,500',
    '$2,100 of $6,000 left',
    null,
    'Silver PPO, through December 31, 2026',
  ])
  expect(lines[0]?.where).toBe('Line 14 · in network, individual')
  expect(lines.at(-1)?.where).toBe('Line 3 · in network, individual')
})

test('lines that disagree are all named and none is picked', () => {
  const conflicts = [{ field: 'mental_health.copay', rows: ['EB#4', 'EB#9'], values: ['20.00', '35.00'] }]
  const unclear = { ...said!, conflicts, mental_health: { ...said!.mental_health, copay: null } }
  expect(linesOf(unclear)[0]).toEqual({
    label: 'Copay per visit',
    value: '$20 or $35',
    where: 'Lines 4 and 9',
    isUnclear: true,
  })
})

test('a client is told nothing that was invented or not said', () => {
  expect(sentenceOf(said!, messages)).toContain('You have 12 visits left this calendar year. Your plan makes the final decision.')
  expect(sentenceOf(said!, spanish)).toContain('Le quedan 12 visitas este año calendario. Su plan toma la decisión final.')
  expect(sentenceOf({ ...said!, source: 'sandbox' }, messages)).toBeNull()
  expect(sentenceOf(refused!, messages)).toBeNull()
})

test('amounts keep their cents where there are some', () => {
  expect([money('20.00'), money('1234567.50'), money('1500.00', true)]).toEqual(['$20', '$1,234,567.50', '$1,500.00'])
})

test('an approval needs a number and a first day; counts, days and codes are checked', () => {
  expect(Object.keys(wrongApproval(emptyApproval))).toEqual(['number', 'starts_on'])
  const fields = { ...emptyApproval, number: ' A-1 ', starts_on: '2026-11-01', ends_on: '2026-12-01', cpt_codes: '90834, 90837' }
  expect(wrongApproval(fields)).toEqual({})
  expect(draftOf(fields)).toMatchObject({
    number: 'A-1',
    visits_approved: null,
    visits_used_before: 0,
    cpt_codes: ['90834', '90837'],
  })
  const wrong = { ...fields, visits_approved: '0', ends_on: '2026-10-01', cpt_codes: '908' }
  expect(Object.keys(wrongApproval(wrong))).toEqual(['visits_approved', 'ends_on', 'cpt_codes'])
})
