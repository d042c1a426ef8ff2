import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import { getClient, insertClient } from '#service/store/clients.ts'
import { inPractice, readSnapshot } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { ensurePractice } from '#service/store/practices.ts'
import { openSnapshotReads } from '#service/store/batches.ts'
import type { Database, Write } from '#service/store/tables.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { freshStore } from '../store-kit.ts'
import type { StoreKind, TestStore } from '../store-kit.ts'
import { aClientRecord, now } from './records-kit.ts'

const noPostgres = leftOut('shared looks on PostgreSQL', await unmet('postgres'))

describe.each<StoreKind>(['sqlite', 'postgres'])('what is read at the same time, on %s', (kind) => {
  if (kind === 'postgres' && noPostgres) return test.skip('is left out here', () => {})
  let own: TestStore
  let db: Database
  const practice = newId()
  const clients = Array.from({ length: 40 }, () => aClientRecord({}))
  const look = <Result>(work: (read: Write) => Promise<Result>) => readSnapshot(db, practice, work)
  beforeAll(async () => {
    own = await freshStore(kind)
    db = await openStore(own.options)
    await inPractice(db, practice, async (write) => {
      await ensurePractice(write, practice, 'Practice', 'free', now)
      for (const client of clients) await insertClient(write, practice, client)
    })
  })
  afterAll(async () => {
    await db.destroy()
    await own.remove()
  })

  test('each gets its own answer, several questions of one included', async () => {
    const found = await Promise.all(
      clients.map(({ id }, index) =>
        look(async (read) => {
          const { id: first } = await getClient(read, practice, id)
          const other = clients[(index + 1) % clients.length]!
          return [first, (await getClient(read, practice, other.id)).id]
        }),
      ),
    )
    expect(found).toEqual(clients.map(({ id }, index) => [id, clients[(index + 1) % clients.length]!.id]))
  })

  test('one that fails fails alone, whether it finds nothing or the database refuses its question', async () => {
    const outcomes = await Promise.allSettled(
      clients.map(({ id }, index) =>
        look(async (read) => {
          if (index % 5 === 1) return getClient(read, practice, newId())
          if (index % 5 === 3) await sql`select nothing from nowhere`.execute(read)
          return getClient(read, practice, id)
        }),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(
      clients.map((_, index) => (index % 5 === 1 || index % 5 === 3 ? 'rejected' : 'fulfilled')),
    )
    const missing = outcomes.filter((_, index) => index % 5 === 1) as PromiseRejectedResult[]
    expect(missing.every(({ reason }) => reason instanceof AppError && reason.code === 'not-found')).toBe(true)
  })

  test('sees all that was committed before it was asked', async () => {
    for (let count = 0; count < 10; count += 1) {
      const others = Promise.all(clients.map(({ id }) => look((read) => getClient(read, practice, id))))
      const client = aClientRecord({})
      await inPractice(db, practice, (write) => insertClient(write, practice, client))
      expect((await look((read) => getClient(read, practice, client.id))).id).toBe(client.id)
      await others
    }
  })

  if (kind === 'sqlite') return
  test('nothing can be written in it', async () => {
    await expect(look((read) => insertClient(read, practice, aClientRecord({})))).rejects.toThrow('read-only')
  })
})

const nothing = {} as Write

const again = new AppError('conflict')
const gone = new AppError('service-unreachable')
const rules = { isRetryable: (error: unknown) => error === again, isUnreachable: (error: unknown) => error === gone }

test('those that wait are read in one transaction, and what is their own they hear at once', async () => {
  let begun = 0
  const line = openSnapshotReads({
    ...rules,
    transaction: (work) => {
      begun += 1
      return work(nothing)
    },
  })
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4].map((number) => line.add(async () => (number === 3 ? Promise.reject(new Error('third')) : number))),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(begun).toBe(1)
})

test('where none can be begun, each hears of it', async () => {
  const line = openSnapshotReads({ ...rules, transaction: () => Promise.reject(gone) })
  const outcomes = await Promise.allSettled([1, 2, 3].map((number) => line.add(async () => number)))
  expect(outcomes).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason: gone })))
})

test('a plan that a newer release made old is made anew, on some connections at least', async () => {
  let oldPlans = 0
  let isAborted = false
  const line = openSnapshotReads({
    ...rules,
    transaction: async (work) => {
      isAborted = false
      await work(nothing)
      if (isAborted) throw new Error('the transaction had failed before its commit')
    },
  })
  const ask = async (): Promise<number> => {
    if (oldPlans === 0) return 7
    oldPlans -= 1
    isAborted = true
    throw again
  }
  oldPlans = 3
  expect(await line.add(ask)).toBe(7)
  oldPlans = 4
  await expect(line.add(ask)).rejects.toBe(again)
})
