import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnyIntent } from '#core/outbox/intents.ts'
import { createOutbox, coalesced, joined, type Edit } from '#core/outbox/outbox.ts'
import { changedFields, pick } from '#core/records/change.ts'
import { create, openDatabase, put, reschedule, session } from './loop-kit.ts'

type Fields = Record<string, unknown>
const names = ['phone', 'email', 'pronouns', 'goals'] as const
const value = fc.oneof(fc.constantFrom('a', 'b', 'c', null), fc.constantFrom(['x'], ['x', 'y']))
const record = fc.record({ phone: value, email: value, pronouns: value, goals: value })
const patches = fc.array(fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1 }), { minLength: 1, maxLength: 12 })

/** As the handlers write it: only what differs, with what it was. */
function edit(before: Fields, patch: Fields): Edit {
  const changed = changedFields(before, patch)
  return { patch: changed, base: pick(before, changed) }
}

const about = { client_id: 'a', session_id: null, subject_id: 'a' }
const updating = (body: Edit): AnyIntent => ({ kind: 'update-client', ...about, body }) as AnyIntent

describe('edits in a row', () => {
  test('as one say the same: what the record was before the first, and what it is after the last', () => {
    fc.assert(
      fc.property(record, patches, (start, all) => {
        let now: Fields = start
        let whole: Edit | null = null
        for (const patch of all) {
          const next = edit(now, patch)
          if (Object.keys(next.patch).length === 0) continue
          whole = whole === null ? next : joined(whole, next)
          now = { ...now, ...next.patch }
        }
        expect(whole ?? { patch: {}, base: {} }).toEqual(edit(start, now))
      }),
    )
  })

  test('of a record that was never sent are part of it, where it can be created like that', () => {
    const created = { ...about, kind: 'create-client', body: { id: 'a', display_name: 'Ana', phone: '1' } } as AnyIntent
    expect(
      coalesced(created, updating({ patch: { phone: null, goals: ['sleep'] }, base: { phone: '1', goals: [] } })),
    ).toMatchObject({
      body: { id: 'a', display_name: 'Ana', phone: null, goals: ['sleep'] },
    })
    expect(coalesced(created, updating({ patch: { display_name: '' }, base: { display_name: 'Ana' } }))).toBeNull()
    const booked = { kind: 'create-session', client_id: 'a', session_id: 's', subject_id: 's', body: sessionBody } as AnyIntent
    const started = { patch: { started_at: '2026-01-01T10:02:00.000Z' }, base: { started_at: null } }
    expect(coalesced(booked, { ...booked, kind: 'update-session', body: started } as AnyIntent)).toBeNull()
  })
})

const sessionBody = {
  id: '0190a0a0-0000-7000-8000-000000000001',
  client_id: '0190a0a0-0000-7000-8000-000000000002',
  session_type: 'individual',
  starts_at: '2026-01-01T10:00:00.000Z',
  duration_minutes: 50,
}

/** What a service would hold after all of this, told in this order. */
function told(intents: readonly AnyIntent[], start: Record<string, Fields>): Record<string, Fields> {
  const held = structuredClone(start)
  for (const { subject_id, body } of intents) {
    const { patch, base } = body as Edit
    // Three ways: the base has to be what is there, or the change would look like somebody else's.
    expect(pick(held[subject_id]!, base)).toEqual(base)
    Object.assign(held[subject_id]!, patch)
  }
  return held
}

describe('the outbox', () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('edit' as const),
        of: fc.constantFrom('a', 'b'),
        patch: fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('send' as const, 'lose' as const, 'reopen' as const) }) },
  )
  const runs = process.env['AFTERWORD_FAULTS'] === 'full' ? 2000 : 60

  test('never loses an edit and never tells one twice, whatever is sent, lost on the way or closed in between', () => {
    const db = openDatabase()
    fc.assert(
      fc.property(record, record, fc.array(step, { maxLength: 25 }), (a, b, steps) => {
        db.exec('delete from outbox')
        const clock = { now: () => 0, elapsed: () => 0 }
        let outbox = createOutbox(db, clock)
        const here: Record<string, Fields> = structuredClone({ a, b })
        const sent: AnyIntent[] = []
        /** What left under a key, and may have arrived: it leaves as the same or not at all. */
        const left = new Map<string, string>()
        const leave = (isAnswered: boolean): void => {
          const intent = outbox.next()
          if (intent === null) return
          outbox.begin(intent.id)
          const body = JSON.stringify(intent.body)
          expect(left.get(intent.idempotency_key) ?? body).toBe(body)
          left.set(intent.idempotency_key, body)
          if (isAnswered) {
            sent.push(intent)
            outbox.remove(intent.id)
          }
          outbox.end(intent.id)
        }
        for (const one of steps) {
          if (one.do === 'edit') {
            const next = edit(here[one.of]!, one.patch)
            if (Object.keys(next.patch).length === 0) continue
            Object.assign(here[one.of]!, next.patch)
            outbox.add({ ...updating(next), client_id: one.of, subject_id: one.of } as AnyIntent)
          } else if (one.do === 'reopen') outbox = createOutbox(db, clock)
          else leave(one.do === 'send')
        }
        while (outbox.next() !== null) leave(true)
        expect(told(sent, { a, b })).toEqual(here)
      }),
      { numRuns: runs },
    )
    db.close()
  })

  test('an edit that undoes what still waits leaves nothing to send', () => {
    const outbox = opened()
    outbox.add(updating({ patch: { phone: '2' }, base: { phone: '1' } }))
    outbox.add(updating({ patch: { phone: '1' }, base: { phone: '2' } }))
    expect(outbox.counts()).toEqual({ waiting: 0, needs_you: 0 })
  })

  test('a session that moves does not overtake another that may wait for its time, or give it one', () => {
    const outbox = opened()
    outbox.add(reschedule('a', 's1'))
    outbox.add(session('b', 's2'))
    outbox.add(reschedule('a', 's1'))
    expect(outbox.list().map(({ kind }) => kind)).toEqual(['update-session', 'create-session', 'update-session'])
  })

  test('says what each waits for, and what goes first takes with it what it needs, in its order', () => {
    const outbox = opened()
    outbox.add(put('z', 'n'))
    outbox.add(create('a'))
    outbox.add(session('a', 's'))
    outbox.add({ kind: 'put-transcript', client_id: 'a', session_id: 's', subject_id: 't', body: {} })
    outbox.add({ kind: 'draft-note', client_id: 'a', session_id: 's', subject_id: 's', body: { template: 'soap', base: null } })
    const [, , , transcript, note] = outbox.list()
    const needs = ({ waits_for }: { waits_for: readonly { kind: string }[] }) => waits_for.map(({ kind }) => kind)
    expect([needs(transcript!), needs(note!)]).toEqual([
      ['create-client', 'create-session'],
      ['create-client', 'create-session', 'put-transcript'],
    ])
    outbox.first(transcript!.id)
    expect(outbox.list().map(({ kind, first }) => [kind, first])).toEqual([
      ['create-client', true],
      ['create-session', true],
      ['put-transcript', true],
      ['put-note', false],
      ['draft-note', false],
    ])
    expect(outbox.next()!.kind).toBe('create-client')
    outbox.needsYou(outbox.next()!.id, 'validation-failed')
    expect(outbox.next()!.kind).toBe('put-note')
    expect(outbox.list().find(({ kind }) => kind === 'draft-note')!.waits_for[0]).toMatchObject({
      kind: 'create-client',
      needs_you: true,
    })
  })

  test('how much of one is sent is told to those who look, and forgotten with it', () => {
    const outbox = opened()
    outbox.add(put('a', 'n'))
    const { id } = outbox.next()!
    outbox.begin(id)
    outbox.progress(id, 0.25)
    expect(outbox.list()).toMatchObject([{ state: 'sending', progress: 0.25 }])
    outbox.end(id)
    expect(outbox.list()).toMatchObject([{ state: 'waiting', progress: 0.25 }])
    outbox.remove(id)
    expect(outbox.list()).toEqual([])
  })
})

const opened = () => createOutbox(openDatabase(), { now: () => 0, elapsed: () => 0 })
