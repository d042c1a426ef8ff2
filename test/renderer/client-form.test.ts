import { expect, test } from 'vitest'
import { clientSchema } from '#contract/model/client.ts'
import { checkFields, fieldsOf, rebased, toPatch } from '#renderer/features/clients/client-form.ts'

const client = clientSchema.parse({
  id: '018f7f5e-0000-7000-8000-000000000001',
  display_name: 'Ada Brook',
  diagnoses: [{ code: 'F43.22', description: 'Adjustment disorder' }],
  goals: ['Sleep'],
  created_at: '2026-11-24T10:00:00Z',
  updated_at: '2026-11-24T10:00:00Z',
  version: 1,
})

test('what was not touched is not changed', () => {
  expect(toPatch(fieldsOf(client), client)).toEqual({})
})

test('diagnoses are read line by line, the code first; a line without a code is asked about', () => {
  const fields = { ...fieldsOf(client), diagnoses: 'f43.22 Adjustment disorder\n\n  F41.1   Generalised anxiety ' }
  expect(toPatch(fields, client)).toEqual({
    diagnoses: [
      { code: 'F43.22', description: 'Adjustment disorder' },
      { code: 'F41.1', description: 'Generalised anxiety' },
    ],
  })
  expect(checkFields(fields)).toEqual({})
  expect(Object.keys(checkFields({ ...fields, diagnoses: 'anxiety' }))).toEqual(['diagnoses'])
})

test('emptied lists are emptied', () => {
  expect(toPatch({ ...fieldsOf(client), goals: ' \n', diagnoses: '' }, client)).toEqual({ goals: [], diagnoses: [] })
})

test('an insurance card is whole or not there, and taking its words away takes it away', () => {
  const card = { payer_id: '87726', payer_name: 'Northlake Health', member_id: 'W88 4471', family_name: 'Brook' }
  const filled = { ...fieldsOf(client), ...card }
  const insurance = { ...card, group_number: null, relationship: 'self' as const }
  expect(checkFields(filled)).toEqual({})
  expect(toPatch(filled, client)).toMatchObject({
    family_name: 'Brook',
    insurance: { member_id: 'W88 4471', group_number: null },
  })
  expect(Object.keys(checkFields({ ...filled, payer_id: ' ', member_id: '?' }))).toEqual(['payer_id', 'member_id'])
  const insured = clientSchema.parse({ ...client, family_name: 'Brook', insurance })
  expect(toPatch(fieldsOf(insured), insured)).toEqual({})
  expect(toPatch({ ...fieldsOf(insured), payer_id: '', payer_name: '', member_id: '' }, insured)).toEqual({ insurance: null })
})

test('what came from elsewhere while somebody types is neither lost nor undone by saving', () => {
  const fields = { ...fieldsOf(client), phone: '5550122' }
  const now = { ...client, email: 'from@elsewhere.org', version: 2 }
  const form = rebased({ of: client, fields }, now)
  expect(form.email).toBe('from@elsewhere.org')
  expect(toPatch(form, now)).toEqual({ phone: '5550122' })
})
