import { setTimeout as later } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { ServiceOptions } from '#service/compose/open-service.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { countQueries } from '../count-queries.ts'
import { take, told } from '../events/sse.ts'
import { anId, openKit } from '../service-kit.ts'
import type { Role } from '#contract/rest/route.ts'
import type { ServiceKit } from '../service-kit.ts'
import { wavOf } from '../sound.ts'
import { postgresHere } from '../store-kit.ts'
import type { StoreKind } from '../store-kit.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const people = isFull ? 200 : 12
/** So many a person may follow. */
const each = 6
const streams = { lookMs: 20, heartbeatMs: 60 }

async function open(kind: StoreKind, options: Partial<ServiceOptions> = {}): Promise<ServiceKit> {
  const kit = await openKit({ caller: 'api-keys', plan: 'enterprise', streams, ...options }, kind)
  closers.push(() => kit.close())
  return kit
}

const owner = (kit: ServiceKit) => ({ Authorization: `Bearer ${kit.ownerKey}` })

async function keyOf(kit: ServiceKit, role: Role, person?: string) {
  const person_id = person ?? (await kit.employ([role]))
  const made = await kit.fetch('POST', '/v1/api-keys', { name: role, roles: [role], person_id }, owner(kit))
  const { id, secret } = (await made.json()) as { id: string; secret: string }
  return { id, headers: { Authorization: `Bearer ${secret}` } }
}

const follow = (kit: ServiceKit, path: string, headers: Record<string, string>) =>
  kit.fetch('GET', path, undefined, { ...headers, Accept: 'text/event-stream' })

/** Work that waits for its engine. */
async function waitingWork(kit: ServiceKit, prefer = 'respond-async'): Promise<string> {
  const body = { audio: { content: wavOf(1), media_type: 'audio/wav' } }
  const response = await kit.fetch('POST', '/v1/transcribe', body, { ...owner(kit), Prefer: prefer })
  return ((await response.json()) as { id: string }).id
}

/** Comments too: a sign of life is one. */
async function chunks(response: Response, count: number): Promise<string[]> {
  const reader = response.body!.getReader()
  const found: string[] = []
  while (found.length < count) {
    const { done, value } = await reader.read()
    if (done) break
    found.push(new TextDecoder().decode(value))
  }
  reader.releaseLock()
  return found
}

for (const kind of ['sqlite', 'postgres'] as const) {
  const isLeftOut = kind === 'postgres' && leftOut('event streams on PostgreSQL', await unmet('postgres'))
  describe.skipIf(isLeftOut)(`with its records in ${kind}`, () => {
    test(`${people * each} idle streams and calls that wait ask the store one question together, and take no lock`, async () => {
      const speech = await startScriptedSpeech(['hang'])
      closers.push(() => speech.close())
      const kit = await open(kind, { speech: () => ({ address: speech.address, model: null, key: null, language: null }) })
      const id = await waitingWork(kit)
      await speech.arrived(1)
      const waiting = kit.fetch('POST', '/v1/transcribe', { audio: { content: wavOf(1), media_type: 'audio/wav' } }, owner(kit))
      void waiting
      const idle: Response[] = []
      const staff: string[] = []
      for (let person = 1; person < people; person += 1) staff.push(await kit.employ(['clinician']))
      for (let stream = 0; stream < each; stream += 1) idle.push(await follow(kit, `/v1/operations/${id}/events`, owner(kit)))
      for (const person of staff) {
        const { headers } = await keyOf(kit, 'clinician', person)
        for (let stream = 0; stream < each; stream += 1) idle.push(await follow(kit, '/v1/events', headers))
      }
      expect(new Set(idle.map(({ status }) => status))).toEqual(new Set([200]))
      // Opening, a first state, and what every stream found in the state of the moment it began.
      await Promise.all(idle.map((response) => chunks(response, 4)))
      const queries = countQueries()
      closers.push(queries.stop)
      const asked: string[] = []
      const looks = () => asked.filter((text) => text.includes('work_steps')).length
      await vi.waitUntil(() => asked.push(...queries.taken()) >= 0 && looks() >= 5, { timeout: 60_000, interval: 5 })
      // Meanwhile every stream shows a sign of life.
      await Promise.all(idle.map(async (response) => expect(await chunks(response, 1)).toEqual([': still here\n\n'])))
      asked.push(...queries.taken())
      // What work under way asks now and then is not theirs; one question of each stream at each look would be many more.
      const others = asked.filter((text) => !text.includes('work_steps'))
      expect(others.length / looks()).toBeLessThan(idle.length / 4)
      for (const response of idle) await response.body!.cancel()
    })

    test.skipIf(kind === 'sqlite')('an idle stream waits for no lock that another process holds', async () => {
      const kit = await open(kind)
      const [{ id: practice }] = (await kit.ask<{ id: string }>('select id from practices')) as [{ id: string }]
      const events = told(await follow(kit, '/v1/events', owner(kit)))
      await take(events, 1)
      const other = await (await postgresHere()).look((kit.store as { url: string }).url)
      await other.query('select pg_advisory_lock(hashtextextended($1, 0))', [`afterword ${practice}`])
      const queries = countQueries()
      closers.push(queries.stop)
      const asked: string[] = []
      const looks = () => asked.filter((text) => text.includes('work_steps')).length
      await vi.waitUntil(() => asked.push(...queries.taken()) >= 0 && looks() >= 5, { timeout: 60_000, interval: 5 })
      expect(asked.filter((text) => text.includes('pg_advisory'))).toEqual([])
      await other.end()
      await kit.fetch('POST', '/v1/clients', { display_name: 'Ana' }, owner(kit))
      expect(await take(events, 1)).toMatchObject([{ event: 'change', data: { kind: 'client' } }])
    })

    test('a stream of work that is not there, not the caller’s, or asked for without a key is refused with its status', async () => {
      const speech = await startScriptedSpeech(['hang'])
      closers.push(() => speech.close())
      const kit = await open(kind, { speech: () => ({ address: speech.address, model: null, key: null, language: null }) })
      const id = await waitingWork(kit)
      const stranger = await keyOf(kit, 'clinician')
      const auditor = await keyOf(kit, 'auditor')
      const path = `/v1/operations/${id}/events`
      const refused = async (at: string, headers: Record<string, string>) => {
        const response = await follow(kit, at, headers)
        expect(response.headers.get('content-type')).toBe('application/problem+json')
        return response.status
      }
      expect(await refused(path, stranger.headers)).toBe(404)
      expect(await refused(`/v1/operations/${anId()}/events`, owner(kit))).toBe(404)
      expect(await refused(path, auditor.headers)).toBe(403)
      expect(await refused(path, {})).toBe(401)
      expect(await refused('/v1/events?since=99999', owner(kit))).toBe(410)
      // Refused streams hold no place: all of a person's are free.
      for (let stream = 0; stream < each; stream += 1) expect(await refused(path, stranger.headers)).toBe(404)
      for (let stream = 0; stream < each; stream += 1) {
        const response = await follow(kit, '/v1/events', stranger.headers)
        expect(response.status).toBe(200)
        closers.push(() => response.body!.cancel())
      }
    })

    test('the first look is made as the caller may now, also where staff changed since they were let in', async () => {
      const speech = await startScriptedSpeech(['hang'])
      closers.push(() => speech.close())
      const kit = await open(kind, { speech: () => ({ address: speech.address, model: null, key: null, language: null }) })
      const id = await waitingWork(kit)
      const opened: Promise<Response>[] = []
      // Beside each opening something of the practice's staff changes.
      for (let round = 0; round < each; round += 1) {
        opened.push(follow(kit, `/v1/operations/${id}/events`, owner(kit)))
        opened.push(kit.fetch('POST', '/v1/staff', { name: `Ada ${round}`, roles: ['clinician'] }, owner(kit)))
      }
      const statuses = (await Promise.all(opened)).map(({ status }) => status)
      expect(statuses).toEqual(Array.from({ length: 2 * each }, (_, index) => (index % 2 === 0 ? 200 : 201)))
    })

    test('once every stream has ended, also those that were refused, the store is asked nothing more', async () => {
      const speech = await startScriptedSpeech(['hang'])
      closers.push(() => speech.close())
      const kit = await open(kind, { speech: () => ({ address: speech.address, model: null, key: null, language: null }) })
      const id = await waitingWork(kit)
      const paths = [...Array.from({ length: each + 2 }, () => `/v1/operations/${id}/events`), `/v1/operations/${anId()}/events`]
      const answers: Response[] = []
      for (const path of paths) answers.push(await follow(kit, path, owner(kit)))
      expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: each }, () => 200), 429, 429, 429])
      const queries = countQueries()
      closers.push(queries.stop)
      const looks = () => queries.taken().filter((text) => text.includes('work_steps')).length
      await vi.waitUntil(() => looks() > 0, { timeout: 60_000, interval: 5 })
      for (const answer of answers) await answer.body?.cancel()
      looks()
      // The time of several looks, which must not come.
      await later(5 * streams.lookMs)
      expect(looks()).toBe(0)
    })

    test('a key that is revoked, and a former secret whose grace is over, end their idle streams', async () => {
      let ahead = 0
      const clock = { ...systemClock, now: () => systemClock.now() + ahead }
      const kit = await open(kind, { clock })
      const revoked = await keyOf(kit, 'clinician')
      const rotated = await keyOf(kit, 'clinician')
      const first = told(await follow(kit, '/v1/events', revoked.headers))
      await take(first, 1)
      expect((await kit.fetch('DELETE', `/v1/api-keys/${revoked.id}`, undefined, owner(kit))).ok).toBe(true)
      expect(await take(first, 1)).toEqual([])
      const done = await kit.fetch('POST', `/v1/api-keys/${rotated.id}/rotate`, { grace_hours: 1 }, owner(kit))
      expect(done.ok).toBe(true)
      const second = told(await follow(kit, '/v1/events', rotated.headers))
      await take(second, 1)
      ahead = 25 * 3_600_000
      expect(await take(second, 1)).toEqual([])
    })
  })
}
