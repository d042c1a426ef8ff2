import { expect, test } from 'vitest'
import { clientSchema } from '#contract/model/client.ts'
import { checkFields, fieldsOf, toPatch } from '#renderer/features/clients/client-form.ts'

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
