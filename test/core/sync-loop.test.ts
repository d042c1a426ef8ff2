import { describe, expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import type { Step } from '#core/sync/sync-loop.ts'
import { bench, create, draft, give, openDatabase, put, revoke, transcribe, update } from './loop-kit.ts'

describe('the loop', () => {
  test('sends in order and rests when there is nothing left', async () => {
    const { add, loop, log, asleep } = bench(() => 'done')
    add(create('a'), update('a'), put('a', 'n'))
    loop.start()
    await asleep()
    add(revoke('a', 'c'))
    await asleep()
    expect(log).toEqual([
      'create-client 1 @0',
      'update-client 1 @0',
      'put-note 1 @0',
      'idle @0',
      'revoke-consent 1 @0',
      'idle @0',
    ])
  })

  test('without a service it waits longer each time, keeps the order, and goes on when told', async () => {
    const { add, loop, log, asleep, pass } = bench((_, attempt) => (attempt < 4 ? 'service-unreachable' : 'done'))
    add(create('a'), create('b'))
    loop.start()
    await asleep()
    expect(loop.isReachable).toBe(false)
    await pass(1000)
    await pass(2000)
    expect(log).toEqual([
      'create-client 1 @0',
      'wait 1000 @0',
      'create-client 2 @1000',
      'wait 2000 @1000',
      'create-client 3 @3000',
      'wait 4000 @3000',
    ])
    loop.wake()
    await asleep()
    expect(log.slice(6, 7)).toEqual(['create-client 4 @3000'])
    expect(loop.isReachable).toBe(false)
  })

  test('what left under the key of before and is refused after there is another one is sent again at once', async () => {
    const refusal = Promise.withResolvers<Step>()
    const { add, loop, log, asleep } = bench((_, attempt) => (attempt === 1 ? refusal.promise : 'done'))
    add(create('a'))
    loop.start()
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    loop.wake()
    refusal.reject(new AppError('unauthenticated'))
    await asleep()
    expect(log.filter((line) => !line.startsWith('idle'))).toEqual(['create-client 1 @0', 'create-client 2 @0'])
  })

  test('what is done in parts lets the others go first each time, except for its own kind, which keeps its order', async () => {
    let parts = 0
    const { add, loop, log, asleep } = bench((intent) => {
      if (intent.kind !== 'transcribe' || intent.client_id !== 'a') return 'done'
      parts += 1
      if (parts === 1) add(update('b'), transcribe('b'), update('c'))
      if (parts === 2) add(put('a', 'n'))
      return parts < 4 ? { later: 0 } : 'done'
    })
    add(transcribe('a'))
    loop.start()
    await asleep()
    expect(log.map((line) => line.replace(/ @.*/, ''))).toEqual([
      'transcribe 1',
      'update-client 1',
      'update-client 1',
      'transcribe 2',
      'put-note 1',
      'transcribe 3',
      'transcribe 4',
      'transcribe 1',
      'idle',
    ])
  })

  test('what waits for something that is no failure says so, and costs no attempt however often', async () => {
    let isMetered = true
    const { add, loop, asleep, outbox, pass } = bench(() => (isMetered ? { later: 1000, code: 'disk-full' } : 'done'))
    add(transcribe('a'))
    loop.start()
    await asleep()
    for (let round = 0; round < 10; round += 1) await pass(1000)
    expect(outbox.list()).toMatchObject([{ state: 'waiting', attempts: 0, error: 'disk-full' }])
    isMetered = false
    await pass(1000)
    expect(outbox.list()).toEqual([])
  })

  test('what fails for good needs somebody and holds up only what depends on it', async () => {
    const { add, loop, log, asleep, outbox } = bench((intent) =>
      intent.kind === 'create-client' && intent.client_id === 'a' ? 'validation-failed' : 'done',
    )
    add(create('a'), update('a'), create('b'), update('b'), transcribe('c'))
    loop.start()
    await asleep()
    expect(log).toEqual([
      'create-client 1 @0',
      'needs you: validation-failed',
      'create-client 1 @0',
      'update-client 1 @0',
      'transcribe 1 @0',
      'idle @0',
    ])
    expect(outbox.counts()).toEqual({ waiting: 1, needs_you: 1 })
  })

  test('a failed note does not hold up a consent that is revoked, nor another note', async () => {
    const { add, loop, log, asleep } = bench((intent) => (intent.subject_id === 'n1' ? 'conflict' : 'done'))
    add(put('a', 'n1'), revoke('a', 'c'), put('a', 'n2'))
    loop.start()
    await asleep()
    expect(log).toEqual(['revoke-consent 1 @0', 'put-note 1 @0', 'needs you: conflict', 'put-note 1 @0', 'idle @0'])
  })

  test('a consent that is revoked overtakes all that waits, but not its own having been given', async () => {
    const { add, loop, log, asleep, pass } = bench((intent, attempt) =>
      intent.kind === 'put-note' || (intent.kind === 'give-consent' && attempt === 1) ? 'internal' : 'done',
    )
    add(put('a', 'n1'), put('b', 'n2'), give('a', 'c1'), revoke('a', 'c1'))
    loop.start()
    await asleep()
    add(revoke('a', 'c2'))
    await asleep()
    expect(log).toEqual(['put-note 1 @0', 'put-note 1 @0', 'wait 1000 @0', 'revoke-consent 1 @0', 'wait 1000 @0'])
    log.length = 0
    await pass(1000)
    expect(log.slice(0, 2)).toEqual(['put-note 2 @1000', 'put-note 2 @1000'])
  })

  test('what an engine is asked about that fails for good, answer after answer, needs somebody in the end', async () => {
    const { add, loop, log, asleep, pass, outbox } = bench((_, attempt) => (attempt === 1 ? { polling: 'op' } : 'bug'))
    add(transcribe('a'))
    loop.start()
    await asleep()
    for (const seconds of [0.2, 1, 2, 4, 8, 16, 32, 60]) await pass(seconds * 1000)
    expect(log.slice(-3)).toEqual(['transcribe 9 @123200', 'needs you: internal', 'idle @123200'])
    expect(outbox.counts()).toEqual({ waiting: 0, needs_you: 1 })
    expect(outbox.retry()).toHaveLength(1)
    await asleep()
    expect(log.at(-2)).toBe('transcribe 10 @123200')
  })

  test('now and then an answer of 500 about long work does no harm', async () => {
    const { add, loop, log, asleep, pass } = bench((_, attempt) =>
      attempt > 20 ? 'done' : attempt % 2 === 1 ? { polling: 'op' } : 'internal',
    )
    add(transcribe('a'))
    loop.start()
    await asleep()
    for (let times = 0; times < 20; times += 1) await pass(2000)
    expect(log.at(-2)).toMatch(/^transcribe 21 /)
  })

  test('an answer of 500 delays one client and no other, and after many attempts needs somebody', async () => {
    const { add, loop, log, asleep, pass } = bench((intent) => (intent.client_id === 'a' ? 'internal' : 'done'))
    add(create('a'), put('a', 'n'), create('b'))
    loop.start()
    await asleep()
    expect(log).toEqual(['create-client 1 @0', 'create-client 1 @0', 'wait 1000 @0'])
    for (const seconds of [1, 2, 4, 8, 16, 32, 60]) await pass(seconds * 1000)
    expect(log.slice(-3)).toEqual(['create-client 8 @123000', 'needs you: internal', 'idle @123000'])
  })

  test('a bug in sending one intent stops no other', async () => {
    const { add, loop, log, asleep } = bench((intent) => (intent.client_id === 'a' ? 'bug' : 'done'))
    add(create('a'), create('b'))
    loop.start()
    await asleep()
    expect(log).toEqual(['create-client 1 @0', 'create-client 1 @0', 'wait 1000 @0'])
  })

  test('long work is asked about at growing intervals while others go on, and a draft waits for its transcript', async () => {
    const { add, loop, log, asleep, pass } = bench((intent, attempt) =>
      intent.kind === 'transcribe' && attempt < 4 ? { polling: 'op' } : 'done',
    )
    add(transcribe('a'), draft('a'), update('a'))
    loop.start()
    await asleep()
    await pass(200)
    await pass(300)
    await pass(450)
    expect(log).toEqual([
      'transcribe 1 @0',
      'update-client 1 @0',
      'wait 200 @0',
      'transcribe 2 @200',
      'wait 300 @200',
      'transcribe 3 @500',
      'wait 450 @500',
      'transcribe 4 @950',
      'draft-note 1 @950',
      'idle @950',
    ])
  })

  test('work that failed is asked for again under another key; an engine that is missing waits for the settings', async () => {
    const keys: string[] = []
    const { add, loop, log, asleep, pass, outbox } = bench((intent, attempt) => {
      keys.push(intent.idempotency_key)
      return attempt === 1 ? { failed: 'engine-failed' } : attempt === 2 ? 'engine-not-ready' : 'done'
    })
    add(transcribe('a'))
    loop.start()
    await asleep()
    await pass(1000)
    expect(log).toEqual(['transcribe 1 @0', 'wait 1000 @0', 'transcribe 2 @1000', 'needs you: engine-not-ready', 'idle @1000'])
    outbox.retry(['engine-not-ready'])
    await asleep()
    expect(log.at(-2)).toBe('transcribe 3 @1000')
    expect(new Set(keys).size).toBe(3)
  })

  test('an intent taken out while it is under way leaves nothing behind', async () => {
    const answered = Promise.withResolvers<Step>()
    const { add, loop, asleep, outbox } = bench(() => answered.promise)
    add(transcribe('a'))
    loop.start()
    for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    const id = outbox.pendingWork('s', 'transcribe')!.id
    outbox.remove(id)
    loop.abandon(id)
    answered.resolve({ state: 'done', apply: () => {} })
    await asleep()
    expect(outbox.counts()).toEqual({ waiting: 0, needs_you: 0 })
  })

  test('after a restart it goes on with what was not answered, under the same keys, and still asks about long work', async () => {
    const db = openDatabase()
    const keys: string[] = []
    const first = bench((intent) => {
      keys.push(`${intent.kind} ${intent.idempotency_key} ${intent.operation_id}`)
      return intent.kind === 'transcribe' ? { polling: 'op-1' } : 'service-unreachable'
    }, db)
    first.add(transcribe('a'), update('a'))
    first.loop.start()
    await first.asleep()
    await first.loop.stop()

    const second = bench((intent) => {
      keys.push(`${intent.kind} ${intent.idempotency_key} ${intent.operation_id}`)
      return 'done'
    }, db)
    second.loop.start()
    await second.asleep()
    const [asked, updated, askedAbout, updatedAgain] = keys
    expect(askedAbout).toBe(asked!.replace('null', 'op-1'))
    expect(updatedAgain).toBe(updated)
    expect(second.outbox.counts()).toEqual({ waiting: 0, needs_you: 0 })
  })
})
