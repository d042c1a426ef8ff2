import { describe, expect, test } from 'vitest'
import { ServiceBusy } from '#client/client.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import { bench, draft, update } from './loop-kit.ts'

const refused = (code: ErrorCode, retrySeconds?: number): AppError => new AppError(code, undefined, [], { retrySeconds })
const times = (log: readonly string[], kind: string): number => log.filter((line) => line.startsWith(kind)).length

describe('what an answer says, and of what', () => {
  test('asked about long work too often, it asks again when it was told to, and others go on meanwhile', async () => {
    const { add, loop, log, asleep, pass } = bench(({ kind }, attempt) => {
      if (kind !== 'draft-note') return 'done'
      return attempt === 1 ? { polling: 'op' } : attempt === 2 ? refused('quota-exceeded', 30) : 'done'
    })
    add(draft('a'))
    loop.start()
    await asleep()
    await pass(200)
    expect(times(log, 'draft-note')).toBe(2)
    add(update('b'))
    await asleep()
    await pass(30_000)
    expect([times(log, 'draft-note'), times(log, 'update-client')]).toEqual([2, 1])
    await pass(1500)
    expect(times(log, 'draft-note')).toBe(3)
  })

  test.each<ErrorCode>(['service-unreachable', 'unauthenticated', 'quota-exceeded', 'sign-in-unavailable'])(
    'work that ended with %s there is its own trouble: nothing else waits for it, and it is not begun without end',
    async (failed) => {
      const { add, loop, log, asleep, pass } = bench(({ kind }) => (kind === 'draft-note' ? { failed } : 'done'))
      add(draft('a'), update('b'))
      loop.start()
      await asleep()
      expect([loop.isReachable, times(log, 'update-client')]).toEqual([true, 1])
      for (let minutes = 0; minutes < 60; minutes += 1) await pass(60_000)
      expect(times(log, 'draft-note')).toBeLessThanOrEqual(3)
      expect(log).toContain(`needs you: ${failed}`)
    },
  )

  test('a practice that is being moved is waited for, however long, and nothing of it is given up', async () => {
    let isMoving = true
    const { add, loop, log, asleep, pass } = bench(() => (isMoving ? refused('practice-moved') : 'done'))
    add(update('a'), update('b'))
    loop.start()
    await asleep()
    for (let minutes = 0; minutes < 120; minutes += 1) await pass(60_000)
    expect(log.filter((line) => line.startsWith('needs you'))).toEqual([])
    isMoving = false
    const before = times(log, 'update-client')
    await pass(90_000)
    expect(times(log, 'update-client')).toBe(before + 2)
  })

  test('chosen to be tried again, one goes before a time that was guessed, and not before one that was named', async () => {
    const answers = [refused('service-unreachable'), new ServiceBusy(90)]
    const { add, loop, log, outbox, asleep, pass } = bench(() => answers.shift() ?? 'done')
    add(update('a'))
    const { id } = outbox.list()[0]!
    loop.start()
    await asleep()
    loop.wakeFor(id)
    await asleep()
    expect(times(log, 'update-client')).toBe(2)
    loop.wakeFor(id)
    await asleep()
    expect([times(log, 'update-client'), loop.state]).toEqual([2, 'backing_off'])
    await pass(94_500)
    expect([times(log, 'update-client'), loop.state]).toEqual([3, 'idle'])
  })
})
