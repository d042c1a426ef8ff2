import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import { appendAudit } from '#service/store/audit.ts'
import { verifyAudit } from '#service/store/read-audit.ts'
import { getClient, insertClient } from '#service/store/clients.ts'
import { inPractice, SerializationFailure } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { ensurePractice } from '#service/store/practices.ts'
import { openGroupCommit } from '#service/store/batches.ts'
import type { Database, Write } from '#service/store/tables.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { freshStore } from '../store-kit.ts'
import type { StoreKind, TestStore } from '../store-kit.ts'
import { aClientRecord, now } from './records-kit.ts'

const anEvent = {
  action: 'C',
  outcome: '201',
  agent: { person: newId(), key: null, roles: [] },
  source: 'here',
  entities: [],
  consent: null,
  purpose: null,
  request_id: newId(),
} as const

const noPostgres = leftOut('shared commits on PostgreSQL', await unmet('postgres'))

describe.each<StoreKind>(['sqlite', 'postgres'])('works that wait at the same time, on %s', (kind) => {
  if (kind === 'postgres' && noPostgres) return test.skip('is left out here', () => {})
  let own: TestStore
  let db: Database
  const practice = newId()
  const within = <Result>(work: (write: Write) => Promise<Result>) => inPractice(db, practice, work)
  beforeAll(async () => {
    own = await freshStore(kind)
    db = await openStore(own.options)
    await within((write) => ensurePractice(write, practice, 'Practice', 'free', now))
  })
  afterAll(async () => {
    await db.destroy()
    await own.remove()
  })
  const found = (id: string): Promise<boolean> =>
    within(async (read) => getClient(read, practice, id)).then(
      () => true,
      () => false,
    )

  test('each stands or falls by itself: what one of them did before it failed is undone, and nothing else', async () => {
    const clients = Array.from({ length: 60 }, () => aClientRecord({}))
    const outcomes = await Promise.allSettled(
      clients.map((client, index) =>
        within(async (write) => {
          await insertClient(write, practice, client)
          if (index % 3 === 0) throw new AppError('conflict')
          // A statement that the database itself refuses.
          if (index % 3 === 1) await sql`insert into clients (id) values (${client.id})`.execute(write)
          return index
        }),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(clients.map((_, index) => (index % 3 === 2 ? 'fulfilled' : 'rejected')))
    expect(await Promise.all(clients.map(({ id }) => found(id)))).toEqual(clients.map((_, index) => index % 3 === 2))
  })

  test('the audit log stays whole, whichever of them failed', async () => {
    const event = (operation: string) => ({ ...anEvent, recorded: now, operation })
    await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        within(async (write) => {
          await appendAudit(write, practice, event(`number ${index}`))
          if (index % 5 === 2) throw new AppError('conflict')
        }),
      ),
    )
    expect(await within((read) => verifyAudit(read, practice))).toMatchObject({ events: 32, broken_at: null })
  })

  test('where a statement fails that nobody waited for, what is told as done is there and nothing else', async () => {
    const event = { ...anEvent, recorded: now, operation: 'first' }
    await within((write) => appendAudit(write, practice, event))
    const clients = Array.from({ length: 9 }, () => aClientRecord({}))
    const outcomes = await Promise.allSettled(
      clients.map((client, index) =>
        within(async (write) => {
          await insertClient(write, practice, client)
          if (index !== 4) return
          const row = await write.selectFrom('audit_events').selectAll().orderBy('seq').limit(1).executeTakeFirstOrThrow()
          await write.insertInto('audit_events').values(row).execute()
        }),
      ),
    )
    expect(outcomes[4]?.status).toBe('rejected')
    const isThere = await Promise.all(clients.map(({ id }) => found(id)))
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(isThere)
    expect(await within((read) => verifyAudit(read, practice))).toMatchObject({ broken_at: null })
  })

  test('each sees what those before it did, and is told when it is durable', async () => {
    const client = aClientRecord({})
    const [, seen] = await Promise.all([
      within((write) => insertClient(write, practice, client)),
      within((read) => getClient(read, practice, client.id)),
    ])
    expect(seen.id).toBe(client.id)
  })

  test('what may run again is done in haste, and with care where one failed: each stands once', async () => {
    const clients = Array.from({ length: 6 }, () => aClientRecord({}))
    const tries: boolean[][] = clients.map(() => [])
    const line = openGroupCommit({
      transaction: (work) => within(work),
      endsTransaction: (error) => error instanceof SerializationFailure,
    })
    const outcomes = await Promise.allSettled(
      clients.map((client, index) =>
        line.add(async (write, isPessimistic) => {
          tries[index]!.push(isPessimistic)
          await insertClient(write, practice, client)
          if (index === 3) throw new AppError('conflict')
        }, true),
      ),
    )
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(clients.map((_, index) => index !== 3))
    expect(await Promise.all(clients.map(({ id }) => found(id)))).toEqual(clients.map((_, index) => index !== 3))
    expect(tries).toEqual(clients.map((_, index) => (index <= 3 ? [false, true] : [true])))
  })

  test('what touches more than its transaction is never begun twice, nor are those beside it', async () => {
    const tries: string[] = []
    const line = openGroupCommit({ transaction: (work) => within(work), endsTransaction: () => false })
    const outcomes = await Promise.allSettled([
      line.add(async () => void tries.push('plain'), true),
      line.add(async () => void tries.push('files')),
      line.add(() => Promise.reject(new AppError('conflict')), true),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(tries).toEqual(['plain', 'files'])
  })

  test('a commit that is lost is not tried again: it may have been done', async () => {
    let begun = 0
    const line = openGroupCommit({
      transaction: async (work) => {
        begun += 1
        await db.transaction().execute(work)
        throw new AppError('service-unreachable')
      },
      endsTransaction: (error) => error instanceof SerializationFailure,
    })
    const outcomes = await Promise.allSettled([line.add(async () => 1, true), line.add(async () => 2, true)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(begun).toBe(1)
  })

  test('an error of all ends all, and the next ones begin anew', async () => {
    let begun = 0
    const line = openGroupCommit({
      transaction: (work) => {
        begun += 1
        return db.transaction().execute(work)
      },
      endsTransaction: (error) => error instanceof SerializationFailure,
    })
    const lost = new SerializationFailure(new Error('deadlock'))
    const outcomes = await Promise.allSettled([
      line.add(async () => 1),
      line.add(() => Promise.reject(lost)),
      line.add(async () => 3),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await Promise.all([line.add(async () => 4), line.add(async () => 5)])).toEqual([4, 5])
    expect(begun).toBe(2)
  })
})
