import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEncrypted } from '#base/sqlite.ts'
import type { ServiceKit } from '../service-kit.ts'
import { aClient, aSession, anId, openKit } from '../service-kit.ts'

let kit: ServiceKit
let client: string
beforeAll(async () => {
  kit = await openKit()
  client = (await aClient(kit.client)).id
})
afterAll(() => kit.close())

const canary = 'a countertransference nobody else should read'

test('its author reads a psychotherapy note, changes it with its version, and finds it in the client’s list', async () => {
  const id = anId()
  const put = await kit.client.call('putPsychotherapyNote', { params: { id }, body: { client_id: client, text: canary } })
  expect(put.status).toBe(201)
  await expect(
    kit.client.call('putPsychotherapyNote', { params: { id }, body: { client_id: client, text: 'other' } }),
  ).rejects.toMatchObject({ code: 'version-required' })
  const changed = await kit.client.call('putPsychotherapyNote', {
    params: { id },
    ifMatch: 1,
    body: { client_id: client, text: `${canary}, twice` },
  })
  expect(changed.data).toMatchObject({ version: 2, text: `${canary}, twice` })
  const { data } = await kit.client.call('listPsychotherapyNotes', { query: { client_id: client } })
  expect(data.data.map((note) => note.id)).toEqual([id])
})

test('its words and its kind are sealed once more inside the store, and in no other table, list or audit entry', async () => {
  const id = anId()
  const kind = 'substance_use_counselling'
  await kit.client.call('putPsychotherapyNote', { params: { id }, body: { client_id: client, kind, text: canary } })
  expect((await kit.client.call('getPsychotherapyNote', { params: { id } })).data).toMatchObject({ kind, text: canary })
  const sqlite = openEncrypted(kit.file, kit.key)
  try {
    const tables = sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
    for (const table of tables) {
      const rows = sqlite.prepare(`select * from "${table}"`).all() as Record<string, unknown>[]
      for (const value of rows.flatMap((row) => Object.values(row))) {
        const text = Buffer.isBuffer(value) ? value.toString('latin1') : String(value)
        expect(text, table).not.toContain('countertransference')
        // That there is one of this kind says as much as its words (42 CFR 2.11).
        if (table !== 'sqlite_master') expect(text, table).not.toContain(kind)
      }
    }
  } finally {
    sqlite.close()
  }
  expect(readFileSync(kit.file).includes('countertransference')).toBe(false)
  const notes = await kit.client.call('listNotes', { query: { client_id: client } })
  expect(notes.data.data).toEqual([])
})

test('an erased one is gone for good, and its id is not taken again', async () => {
  const id = anId()
  await kit.client.call('putPsychotherapyNote', { params: { id }, body: { client_id: client, text: canary } })
  await kit.client.call('deletePsychotherapyNote', { params: { id }, ifMatch: 1 })
  await expect(kit.client.call('getPsychotherapyNote', { params: { id } })).rejects.toMatchObject({ code: 'gone' })
  await expect(
    kit.client.call('putPsychotherapyNote', { params: { id }, body: { client_id: client, text: canary } }),
  ).rejects.toMatchObject({ code: 'gone' })
})

test('it can belong to no session of another client', async () => {
  const other = (await aClient(kit.client, 'Bo Chen')).id
  const session = (await aSession(kit.client, other)).id
  await expect(
    kit.client.call('putPsychotherapyNote', {
      params: { id: anId() },
      body: { client_id: client, session_id: session, text: 'x' },
    }),
  ).rejects.toMatchObject({ code: 'not-found' })
})
