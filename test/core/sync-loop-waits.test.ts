import { describe, expect, test } from 'vitest'
import { ServiceBusy } from '#client/client.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import { bench, create, draft, give, openDatabase, put, reschedule, revoke, session, update } from './loop-kit.ts'

const hour = 3_600_000
const refused = (code: ErrorCode, retrySeconds?: number): AppError => new AppError(code, undefined, [], { retrySeconds })
const waits = (log: readonly string[]): string[] => log.filter((line) => line.startsWith('wait') || line.startsWith('idle'))

describe('what the loop waits for', () => {
  test('a busy service is not asked before the time it named, and a missing network is told apart from it', async () => {
    const answers = [new ServiceBusy(90), new ServiceBusy(undefined), refused('service-unreachable'), 'done' as const]
    const { add, loop, log, asleep, pass } = bench(() => answers.shift()!)
    add(update('a'))
    loop.start()
    await asleep()
    expect([loop.state, loop.resumesIn]).toEqual(['backing_off', 94_500])
    await pass(89_999)
    expect(log.filter((line) => line.startsWith('update'))).toHaveLength(1)
    await pass(4501)
    expect([loop.state, loop.resumesIn]).toEqual(['backing_off', 2000])
    await pass(2000)
    expect([loop.state, loop.resumesIn]).toEqual(['offline', 4000])
    await pass(4000)
    expect([loop.state, loop.resumesIn]).toEqual(['idle', null])
  })

  test('a gateway that names a time without end is asked again after an hour', async () => {
    const { add, loop, asleep } = bench(() => new ServiceBusy(40_000_000))
    add(update('a'))
    loop.start()
    await asleep()
    expect(loop.resumesIn).toBe(1.05 * hour)
  })

  test('the day’s quota is waited for until it begins anew, with one refusal, while what is not counted goes on', async () => {
    let left = 2
    const { add, loop, log, asleep, pass } = bench(({ kind }) => {
      if (kind !== 'create-session') return 'done'
      left -= 1
      return left >= 0 ? 'done' : refused('quota-exceeded', 6 * 3600)
    })
    add(...['a', 'b', 'c', 'd', 'e'].map((name) => session(name, `s${name}`)), put('f', 'n'), draft('g'))
    loop.start()
    await asleep()
    const sessions = (): number => log.filter((line) => line.startsWith('create-session')).length
    expect([loop.state, sessions(), log.filter((line) => line.startsWith('put-note')).length]).toEqual(['quota', 3, 1])
    expect(log.filter((line) => line.startsWith('draft-note'))).toEqual([])
    // Whole hours and a few seconds, so that the laptops of a practice do not all begin at once.
    expect(loop.resumesIn).toBe(6 * hour + 10_000)
    add(revoke('a', 'c'))
    await asleep()
    expect([loop.state, log.at(-2)]).toEqual(['quota', 'revoke-consent 1 @0'])
    await pass(6 * hour)
    expect(sessions()).toBe(3)
    left = 100
    await pass(10_000)
    expect([loop.state, sessions()]).toEqual(['idle', 6])
  })

  test('a quota without an announced end is no reason to guess one: it backs off, longer than without a network', async () => {
    const { add, loop, asleep, pass } = bench(() => 'quota-exceeded')
    add(update('a'))
    loop.start()
    await asleep()
    for (let seconds = 1; seconds < 2000; seconds *= 2) await pass(seconds * 1000)
    expect([loop.state, loop.resumesIn]).toEqual(['backing_off', 15 * 60_000])
  })

  test('the clock of the laptop set ahead by a week costs one question, and set back none; neither makes it wait longer', async () => {
    const { add, loop, log, asleep, pass, setClock } = bench(() => refused('quota-exceeded', 3600))
    add(session('a', 's'))
    loop.start()
    await asleep()
    const asked = (): number => log.filter((line) => line.startsWith('create')).length
    setClock(7 * 24 * hour)
    await pass(6 * 60_000)
    await pass(30 * 60_000)
    expect([asked(), loop.resumesIn]).toEqual([2, hour + 10_000 - 30 * 60_000])
    setClock(-30 * 24 * hour)
    await pass(29 * 60_000)
    expect(asked()).toBe(2)
    await pass(2 * 60_000)
    expect(asked()).toBe(3)
    // Asleep, it looked at the other clock every few minutes, and no more often.
    expect(waits(log).length).toBeLessThan(12)
  })

  test('a laptop that slept over the end of the quota goes on soon after it wakes', async () => {
    let isFull = true
    const { add, loop, log, asleep, pass, setClock } = bench(() => (isFull ? refused('quota-exceeded', 8 * 3600) : 'done'))
    add(session('a', 's'))
    loop.start()
    await asleep()
    isFull = false
    // The monotonic clock stood still.
    setClock(9 * hour)
    await pass(5 * 60_000)
    expect([loop.state, log.at(-2)]).toEqual(['idle', 'create-session 2 @300000'])
  })

  test('a key that is not taken stops it until the settings change; now and then it is tried all the same', async () => {
    const { add, loop, log, asleep, pass } = bench((_, attempt) => (attempt < 4 ? 'unauthenticated' : 'done'))
    add(create('a'))
    loop.start()
    await asleep()
    expect([loop.state, log.length]).toEqual(['needs_key', 2])
    await pass(20 * 60_000)
    expect(log.filter((line) => line.startsWith('create'))).toHaveLength(1)
    await pass(10 * 60_000)
    expect(log.filter((line) => line.startsWith('create'))).toHaveLength(2)
    loop.wake()
    await asleep()
    loop.wake()
    await asleep()
    expect(loop.state).toBe('idle')
  })

  test('what the person stops is stopped at once and comes back when told; nothing is lost or counted as a failure', async () => {
    let isHanging = true
    const never = Promise.withResolvers<never>()
    const { add, loop, log, asleep, paused, outbox } = bench(() => (isHanging ? never.promise : 'done'))
    add(update('a'))
    loop.start()
    for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    paused.is = true
    loop.interrupt()
    never.reject(new DOMException('aborted', 'AbortError'))
    await asleep()
    expect([loop.state, loop.resumesIn]).toEqual(['paused', null])
    expect(outbox.list()).toMatchObject([{ state: 'waiting', attempts: 0, error: null }])
    add(update('b'))
    await asleep()
    expect(log.filter((line) => line.startsWith('update'))).toHaveLength(1)
    paused.is = isHanging = false
    loop.wake()
    await asleep()
    expect([loop.state, outbox.counts().waiting]).toEqual(['idle', 0])
  })

  test('waits differ from laptop to laptop, by a quarter at most', async () => {
    const lengths = [0, 0.999_999].map(async (chance) => {
      const { add, loop, asleep, random } = bench(() => 'service-unreachable')
      random.value = chance
      add(update('a'))
      loop.start()
      await asleep()
      return loop.resumesIn
    })
    expect(await Promise.all(lengths)).toEqual([750, 1250])
  })
})

describe('side by side', () => {
  /** Answers each when told, so that it is seen what leaves together. */
  function held(width: number) {
    const open = new Map<string, () => void>()
    const kit = bench(
      ({ kind, client_id, subject_id }) =>
        new Promise((resolve) =>
          open.set(`${kind} ${client_id} ${subject_id}`, () => resolve({ state: 'done', apply: () => {} })),
        ),
      openDatabase(),
      width,
    )
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    }
    return {
      ...kit,
      async underWay(): Promise<string[]> {
        await turns()
        return [...open.keys()]
      },
      answer(name: string): void {
        open.get(name)!()
        open.delete(name)
      },
      answerAll: async (): Promise<void> => {
        for (await turns(); open.size > 0; await turns()) {
          const told = [...open.values()]
          open.clear()
          for (const tell of told) tell()
        }
      },
    }
  }

  test('go intents of different clients; never two of one, nor two pieces of long work', async () => {
    const { add, loop, underWay, answer, answerAll, outbox } = held(4)
    add(create('a'), put('a', 'n'), draft('d'), draft('e'), put('f', 'n2'), put('g', 'n3'), put('h', 'n4'))
    loop.start()
    expect(await underWay()).toEqual(['create-client a a', 'draft-note d s', 'put-note f n2', 'put-note g n3'])
    answer('create-client a a')
    expect(await underWay()).toEqual(['draft-note d s', 'put-note f n2', 'put-note g n3', 'put-note a n'])
    answer('put-note g n3')
    expect(await underWay()).toEqual(['draft-note d s', 'put-note f n2', 'put-note a n', 'put-note h n4'])
    answer('draft-note d s')
    expect((await underWay()).at(-1)).toBe('draft-note e s')
    await answerAll()
    expect(outbox.list()).toEqual([])
  })

  test('sessions are booked together, but one that moves goes alone and in its turn: its time may be the next one’s', async () => {
    const { add, loop, underWay, answer, answerAll, log } = held(4)
    add(session('a', 's1'), session('b', 's2'), reschedule('c', 's3'), session('d', 's4'), put('e', 'n'), reschedule('f', 's5'))
    loop.start()
    expect(await underWay()).toEqual(['create-session a s1', 'create-session b s2', 'put-note e n'])
    answer('create-session a s1')
    answer('put-note e n')
    expect(await underWay()).toEqual(['create-session b s2'])
    answer('create-session b s2')
    expect(await underWay()).toEqual(['update-session c s3'])
    answer('update-session c s3')
    expect(await underWay()).toEqual(['create-session d s4'])
    await answerAll()
    expect(log.filter((line) => line.startsWith('update-session'))).toHaveLength(2)
  })

  test('a consent that is revoked does not wait for what else is sent of its client, but for its own having been given', async () => {
    const { add, loop, underWay, answerAll } = held(4)
    add(put('a', 'n'))
    loop.start()
    await underWay()
    add(put('a', 'n2'), revoke('a', 'c'), give('b', 'd'), revoke('b', 'd'))
    expect(await underWay()).toEqual(['put-note a n', 'revoke-consent a c', 'give-consent b d'])
    await answerAll()
  })

  test('failing together is one failure', async () => {
    const { add, loop, asleep } = bench(() => 'service-unreachable', openDatabase(), 4)
    add(put('a', '1'), put('b', '2'), put('c', '3'), put('d', '4'))
    loop.start()
    await asleep()
    expect([loop.state, loop.resumesIn]).toEqual(['offline', 1000])
  })
})
