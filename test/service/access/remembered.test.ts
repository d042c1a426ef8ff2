import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import { asOfNow, StaleAuthority } from '#service/access/authorization.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { openStore } from '#service/store/open-store.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { ScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { wavOf } from '../sound.ts'
import { openAuthorityKit } from './authority-kit.ts'
import type { AuthorityKit, Person } from './authority-kit.ts'

let speech: ScriptedSpeech
let kit: AuthorityKit
let owner: Person
beforeAll(async () => {
  speech = await startScriptedSpeech(['hang'])
  const settings = { engine: 'server' as const, address: speech.address, model: null, key: null, language: null }
  kit = await openAuthorityKit({ speech: () => settings, consentPolicy: 'asserted' })
  owner = await kit.person(['owner'])
})
afterAll(async () => {
  await kit.close()
  await speech.close()
})

test('many changes of what people may, made at once, are all made, and nobody who calls beside them is turned away', async () => {
  await owner.call('GET', '/clients')
  const made = Array.from({ length: 8 }, (_, index) => owner.call('POST', '/staff', { name: `P${index}`, roles: ['clinician'] }))
  const beside = Array.from({ length: 8 }, () => owner.call('GET', '/clients'))
  expect((await Promise.all(made)).map(({ status }) => status)).toEqual(made.map(() => 201))
  expect((await Promise.all(beside)).map(({ status }) => status)).toEqual(beside.map(() => 200))
})

test('what somebody waited for is not handed to them once their key was revoked', async () => {
  const clinician = await kit.person(['clinician'])
  const answer = clinician.call('POST', '/transcribe', { audio: { content: wavOf(1), media_type: 'audio/wav' } })
  await speech.arrived(1)
  await kit.write(kit.practice, (write) =>
    write
      .updateTable('api_keys')
      .set({ revoked_at: '2026-02-01T00:00:00.000Z' })
      .where('person_id', '=', clinician.id)
      .execute()
      .then(() => undefined),
  )
  speech.letGo({ status: 200, body: '{"text":"I slept badly."}' })
  expect(await answer).toMatchObject({ status: 401, text: expect.not.stringContaining('slept') })
})

test('a call is made again where memory misled it, and never where it may have been done', async () => {
  const db = await openStore(kit.store)
  const caller = { practice_id: kit.practice, source: 'http', authority_version: -1 } as Caller
  const triesOf = async (error: Error): Promise<number> => {
    let tries = 0
    const work = async (): Promise<void> => {
      tries += 1
      if (tries === 1) throw error
    }
    await asOfNow(
      db,
      () => caller,
      async () => {},
      work,
    ).catch(() => {})
    return tries
  }
  expect(await triesOf(new StaleAuthority())).toBe(2)
  expect(await triesOf(new AppError('not-found'))).toBe(2)
  expect(await triesOf(new AppError('service-unreachable'))).toBe(1)
  expect(await triesOf(new Error('a bug'))).toBe(1)
  await db.destroy()
})
