import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Client } from '#contract/model/client.ts'
import type { Operation } from '#contract/model/operation.ts'
import type { Session } from '#contract/model/session.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import { forkedEngines } from '#engines/engine-host.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'
import type { LanguagePort } from '#engines/language/port.ts'
import { heavyTexts } from '#test/support/heavy-texts.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { openAuthorityKit } from '../access/authority-kit.ts'
import type { AuthorityKit, Person } from '../access/authority-kit.ts'
import type { StoreKind } from '../store-kit.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
/** As much as a body of 1 MiB takes where each character is two bytes in it. */
const length = isFull ? 500_000 : 6000
/** Longer than what is worked on where calls are answered. */
const longText = heavyTexts['questions']!(12_000)
const noPostgres = leftOut('heavy texts on PostgreSQL', await unmet('postgres'))

describe.each<StoreKind>(['sqlite', 'postgres'])('texts that take long to work on, on %s', (kind) => {
  if (kind === 'postgres' && noPostgres) return test.skip('is left out here', () => {})

  let kit: AuthorityKit
  /** `code` is undefined while it runs. */
  let engines: { code: number | null | undefined }[]
  afterEach(() => kit.close())

  async function open(options: Parameters<typeof openAuthorityKit>[0] = {}): Promise<void> {
    engines = []
    kit = await openAuthorityKit({ engines: watched(), ...options }, kind)
  }

  function watched(): EngineHost {
    const host = forkedEngines()
    return {
      start(program, limits) {
        const engine = host.start(program, limits)
        const seen: (typeof engines)[number] = { code: undefined }
        engines.push(seen)
        engine.onExit((code) => (seen.code = code))
        return engine
      },
    }
  }

  async function treats(person: Person): Promise<{ client_id: string; session_id: string }> {
    const client = (await person.call('POST', '/clients', { display_name: 'Ana Lopez' })).body as unknown as Client
    const about = { client_id: client.id, session_type: 'individual', starts_at: '2026-03-02T09:00:00Z', duration_minutes: 50 }
    const session = (await person.call('POST', '/sessions', about)).body as unknown as Session
    return { client_id: client.id, session_id: session.id }
  }
  const later = { Prefer: 'respond-async' }
  const look = async (person: Person, id: string): Promise<Operation> =>
    (await person.call('GET', `/operations/${id}`)).body as unknown as Operation
  const over = (person: Person, id: string): Promise<Operation> =>
    vi.waitUntil(
      async () => {
        const operation = await look(person, id)
        return operation.status === 'queued' || operation.status === 'running' ? null : operation
      },
      { timeout: 120_000, interval: 20 },
    )

  test('every one is drafted and analysed in an engine, and what comes of it fits the contract', async () => {
    await open()
    const therapist = await kit.person(['clinician'])
    const about = await treats(therapist)
    for (const [name, text] of Object.entries(heavyTexts)) {
      const transcript = text(length)
      const draft = await therapist.call('POST', '/ai/generate-note', { ...about, template: 'soap', transcript })
      expect([name, draft.status, draft.body.code]).toEqual([name, ...expectedOf(name, 201)])
      const analysis = await therapist.call('POST', '/ai/analyze', { ...about, transcript })
      expect([name, analysis.status, analysis.body.code]).toEqual([name, 200, undefined])
    }
    expect(engines.length).toBeGreaterThan(0)
  })

  /** Commas alone are a client who says nothing. */
  const expectedOf = (name: string, status: number) => (name === 'commas' ? [422, 'nothing-said'] : [status, undefined])

  // What an engine may use has nothing to do with the store.
  test.skipIf(kind === 'postgres')('a text that needs more memory than it may ends its engine and nothing else', async () => {
    await open({ texts: { heapMb: 24 } })
    const therapist = await kit.person(['clinician'])
    const about = { ...(await treats(therapist)), template: 'soap' }
    const huge = await therapist.call('POST', '/ai/generate-note', { ...about, transcript: heavyTexts['questions']!(300_000) })
    expect([huge.status, huge.body.code]).toEqual([502, 'engine-failed'])
    expect(huge.body.detail).toContain('Send it in smaller parts')
    expect(engines.map(({ code }) => code === undefined)).toEqual([false])
    const next = await therapist.call('POST', '/ai/generate-note', { ...about, transcript: longText })
    expect(next.status).toBe(201)
    expect(engines).toHaveLength(2)
  })

  test.skipIf(kind === 'postgres')(
    'an engine that cannot be started fails one piece of work, and the next one is done',
    async () => {
      const host = forkedEngines()
      let isShortOfMemory = true
      const start: EngineHost['start'] = (...asked) => {
        if (isShortOfMemory) throw new Error('spawn ENOMEM')
        return host.start(...asked)
      }
      await open({ engines: { start } })
      const therapist = await kit.person(['clinician'])
      const about = { ...(await treats(therapist)), template: 'soap', transcript: longText }
      const ask = async () => {
        const { status, body } = await therapist.call('POST', '/ai/generate-note', about)
        return [status, body.code]
      }
      expect(await ask()).toEqual([502, 'engine-failed'])
      isShortOfMemory = false
      expect(await ask()).toEqual([201, undefined])
    },
  )

  test('cancelled, its engine ends at once and no note is left', async () => {
    await open()
    const therapist = await kit.person(['clinician'])
    const about = { ...(await treats(therapist)), template: 'soap' }
    const transcript = heavyTexts['questions']!(590_000)
    const { body } = await therapist.call('POST', '/ai/generate-note', { ...about, transcript }, later)
    await vi.waitUntil(() => engines.length === 1, { timeout: 60_000 })
    expect((await therapist.call('DELETE', `/operations/${body.id}`)).status).toBe(200)
    await vi.waitUntil(() => engines[0]?.code !== undefined, { timeout: 60_000 })
    expect((await look(therapist, body.id)).status).toBe('cancelled')
    expect((await therapist.call('GET', '/notes')).body.data).toEqual([])
  })

  test('practices take turns, however much one of them has waiting', async () => {
    const begun: string[] = []
    const held = Promise.withResolvers<void>()
    await open({ writer: holding(begun, held.promise) })
    const [busy, other] = [await kit.person(['clinician']), await kit.person(['clinician'], { practice: kit.elsewhere })]
    const ids: string[] = []
    const theirs = new Map([
      [busy, await treats(busy)],
      [other, await treats(other)],
    ])
    for (const person of [busy, busy, busy, busy, other, other]) {
      const about = { ...theirs.get(person), template: 'soap' }
      const transcript = `Ana: I am with ${person === busy ? 'one' : 'two'}.`
      ids.push((await person.call('POST', '/ai/generate-note', { ...about, transcript }, later)).body.id)
    }
    await vi.waitUntil(() => begun.length === 2)
    held.resolve()
    await over(busy, ids[3]!)
    await over(other, ids[5]!)
    expect(begun.slice(0, 4).toSorted()).toEqual(['one', 'one', 'two', 'two'])
  })

  function holding(begun: string[], held: Promise<void>): LanguagePort {
    const rules = rulesLanguage()
    return {
      ...rules,
      draft: async (request, signal) => {
        begun.push(/one|two/.exec(request.segments[0]?.text ?? '')?.[0] ?? '')
        await Promise.race([held, once(signal, 'abort')])
        return rules.draft(request, signal)
      },
    }
  }

  test('a person with too much waiting is asked to come back, and another is not', async () => {
    await open({ writer: holding([], new Promise(() => {})) })
    const [eager, calm] = [await kit.person(['clinician']), await kit.person(['clinician'])]
    const about = { ...(await treats(eager)), template: 'soap', transcript: 'Ana: I slept.' }
    const ask = () => eager.call('POST', '/ai/generate-note', about, later)
    for (let asked = 0; asked < 100; asked += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, ask))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202))
    }
    const refused = await ask()
    expect([refused.status, refused.body.code]).toEqual([429, 'too-many-operations'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const theirs = { ...(await treats(calm)), template: 'soap', transcript: 'Ana: I slept.' }
    expect((await calm.call('POST', '/ai/generate-note', theirs, later)).status).toBe(202)
  })

  test('long session data is drafted in an engine, and not without bound for one person', async () => {
    await open()
    const therapist = await kit.person(['clinician'])
    const { session_id } = await treats(therapist)
    const presenting_concerns = Array.from({ length: 40 }, (_, at) => `Wakes at ${at} `.repeat(80))
    const data = {
      session_type: 'individual',
      duration_minutes: 50,
      presenting_concerns,
      interventions: [],
      client_response: 'x',
    }
    const ask = () => therapist.call('POST', '/notes/generate', { ...data, session_id })
    const answers = await Promise.all(Array.from({ length: 12 }, ask))
    const statuses = answers.map(({ status }) => status).toSorted((left, right) => left - right)
    expect(statuses).toEqual([...Array(8).fill(201), ...Array(4).fill(429)])
    expect(engines).toHaveLength(1)
    expect((await ask()).status).toBe(201)
  })

  test('a draft from long session data ends with the service, and says that it was stopped', async () => {
    await open()
    const therapist = await kit.person(['clinician'])
    const presenting_concerns = Array.from({ length: 40 }, (_, at) => `Wakes at ${at} `.repeat(300))
    const data = {
      session_type: 'individual',
      duration_minutes: 50,
      presenting_concerns,
      interventions: [],
      client_response: 'x',
    }
    const asked = therapist.call('POST', '/notes/generate', data)
    await vi.waitUntil(() => engines.length === 1, { timeout: 60_000 })
    await kit.reopen()
    const { status, body } = await asked
    expect([status, body.code, body.detail]).toEqual([409, 'cancelled', 'The service is closing.'])
    expect(engines.map(({ code }) => code === undefined)).toEqual([false])
  })
})
