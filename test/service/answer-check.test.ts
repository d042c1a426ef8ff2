import { expect, test } from 'vitest'
import type { LogFields } from '#base/log.ts'
import { silentLog } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { routes } from '#contract/rest/routes.ts'
import { checkAnswer, isDeclaredFailure } from '#service/kernel/answer-check.ts'
import { updateClient } from '#service/store/clients.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { aClient, openKit } from './service-kit.ts'
import { aClientRecord } from './store/records-kit.ts'

const { listClients } = routes
const silent = { log: silentLog }

test('what is not declared is left out of an answer', () => {
  expect(checkAnswer('listClients', listClients, 200, { data: [], next_cursor: null, internal: 1 }, silent)).toEqual({
    data: [],
    next_cursor: null,
  })
})

test('a status or a body that is not declared throws, naming where and no value', () => {
  expect(() => checkAnswer('listClients', listClients, 201, {}, silent)).toThrow('listClients answers 201, which is not declared')
  expect(() => checkAnswer('listClients', listClients, 200, { data: 'Secret' }, silent)).toThrow(
    'listClients 200 does not fit at /data /next_cursor',
  )
})

test('a record that does not fit is left out of its list and named in the log; the others are answered', () => {
  const logged: [string, LogFields | undefined][] = []
  const log = { ...silentLog, error: (event: string, fields?: LogFields) => void logged.push([event, fields]) }
  const [good, bad] = [aClientRecord(), { ...aClientRecord(), display_name: 'x'.repeat(201) }]
  expect(checkAnswer('listClients', listClients, 200, { data: [bad, good], next_cursor: null }, { log })).toEqual({
    data: [good],
    next_cursor: null,
  })
  expect(logged).toEqual([['contract.record', { operation: 'listClients', id: bad.id }]])
})

test('a record that breaks the contract is never sent: the answer is 500 internal, and the log says where', async () => {
  const logged: [string, LogFields | undefined][] = []
  const log = { ...silentLog, error: (event: string, fields?: LogFields) => void logged.push([event, fields]) }
  const kit = await openKit({ log })
  const client = await aClient(kit.client)
  const [practice] = await kit.ask<{ id: string }>('select id from practices')
  const db = await openStore(kit.store)
  await inPractice(db, practice!.id, (write) =>
    updateClient(write, practice!.id, { ...client, phone: `Secret ${'1'.repeat(200)}` }),
  )
  await db.destroy()
  const response = await kit.fetch('GET', `/v1/clients/${client.id}`)
  const text = await response.text()
  expect([response.status, JSON.parse(text)]).toMatchObject([500, { code: 'internal' }])
  expect(logged).toEqual([['contract.answer', { operation: 'getClient', status: 200, at: '/phone' }]])
  expect(text + JSON.stringify(logged)).not.toContain('Secret')
  await kit.close()
})

test('a failure is declared by its operation or common to all', () => {
  expect(isDeclaredFailure(listClients, new AppError('validation-failed'))).toBe(true)
  expect(isDeclaredFailure(routes.signNote, new AppError('already-signed'))).toBe(true)
  expect(isDeclaredFailure(listClients, new AppError('already-signed'))).toBe(false)
})
