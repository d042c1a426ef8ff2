import { expect, test } from 'vitest'
import type { LogFields } from '#base/log.ts'
import { silentLog } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { routes } from '#contract/rest/routes.ts'
import { checkAnswer, isDeclaredFailure } from '#service/guards/answer-check.ts'

const strict = { strictAnswers: true, log: silentLog }
const { listClients } = routes

test('what is not declared is left out of an answer', () => {
  expect(checkAnswer('listClients', listClients, 200, { data: [], next_cursor: null, internal: 1 }, strict)).toEqual({
    data: [],
    next_cursor: null,
  })
})

test('a status or a body that is not declared throws, naming where and no value', () => {
  expect(() => checkAnswer('listClients', listClients, 201, {}, strict)).toThrow('listClients answers 201, which is not declared')
  expect(() => checkAnswer('listClients', listClients, 200, { data: 'Geheim' }, strict)).toThrow(
    'listClients 200 does not fit at /data /next_cursor',
  )
})

test('in production it is answered all the same, and logged without a value', () => {
  const logged: (LogFields | undefined)[] = []
  const log = { ...silentLog, error: (_: string, fields?: LogFields) => void logged.push(fields) }
  expect(checkAnswer('listClients', listClients, 200, { data: 'Geheim' }, { strictAnswers: false, log })).toEqual({
    data: 'Geheim',
  })
  expect(logged).toEqual([{ operation: 'listClients', status: 200 }])
})

test('a failure is declared by its operation or common to all', () => {
  expect(isDeclaredFailure(listClients, new AppError('validation-failed'))).toBe(true)
  expect(isDeclaredFailure(routes.signNote, new AppError('already-signed'))).toBe(true)
  expect(isDeclaredFailure(listClients, new AppError('already-signed'))).toBe(false)
})
