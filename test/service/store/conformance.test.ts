import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '#contract/errors.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { newId } from '#base/ids.ts'
import { appendAudit } from '#service/store/audit.ts'
import { verifyAudit } from '#service/store/read-audit.ts'
import type { AuditEvent } from '#service/store/audit.ts'
import { getClient, insertClient, listClients, updateClient } from '#service/store/clients.ts'
import { findKept, keepReply } from '#service/store/idempotency.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { saidIn } from '#service/jobs/draft.ts'
import { migrations } from '#service/store/migrations.ts'
import { openStore } from '#service/store/open-store.ts'
import { endOperation, findOperationText, getOperation, insertOperation } from '#service/store/operations.ts'
import { findPieces, keepPiece, takeOverPieces } from '#service/store/transcripts.ts'
import { ensurePractice } from '#service/store/practices.ts'
import { changed } from '#service/store/records.ts'
import { insertSession, updateSession } from '#service/store/sessions.ts'
import type { Database, Write } from '#service/store/tables.ts'
import { insertUpload, uploadContent } from '#service/store/uploads.ts'
import { unmet } from '#test/support/machine.ts'
import { leftOut } from '#test/support/left-out.ts'
import { blankStore, freshStore } from '../store-kit.ts'
import type { StoreKind, TestStore } from '../store-kit.ts'
import { aClientRecord, aSessionRecord, now } from './records-kit.ts'

/** What every store of the service promises, told to each of them. */

const noPostgres = leftOut('the store on PostgreSQL', await unmet('postgres'))

describe.each<StoreKind>(['sqlite', 'postgres'])('a store on %s', (kind) => {
  if (kind === 'postgres' && noPostgres) return test.skip('is left out here', () => {})
  let own: TestStore
  let db: Database
  const practice = newId()
  const other = newId()
  const within = <Result>(work: (write: Write) => Promise<Result>, whose = practice) => inPractice(db, whose, work)

  beforeAll(async () => {
    own = await freshStore(kind)
    db = await openStore(own.options)
    for (const id of [practice, other]) await within((write) => ensurePractice(write, id, 'Practice', 'free', now), id)
  })
  afterAll(async () => {
    await db.destroy()
    await own.remove()
  })

  const add = (client: Partial<Client> = {}, whose = practice): Promise<Client> => {
    const record = aClientRecord(client)
    return within(async (write) => {
      await insertClient(write, whose, record)
      return record
    }, whose)
  }

  describe('records', () => {
    test('are read as they were written, and as they were changed', async () => {
      const client = await add({ display_name: 'Zoë “Zo” Ōta\n✓', phone: '+1 555 0100' })
      expect(await within((read) => getClient(read, practice, client.id))).toEqual(client)
      const next = changed({ ...client, display_name: 'Z' }, '2026-02-01T00:00:00.000Z')
      await within((write) => updateClient(write, practice, next))
      expect(await within((read) => getClient(read, practice, client.id))).toEqual(next)
    })

    test('whose id is taken are refused, and what was written with them is undone', async () => {
      const client = await add()
      const meant = aClientRecord()
      const twice = within(async (write) => {
        await insertClient(write, practice, meant)
        await insertClient(write, practice, client)
      })
      await expect(twice).rejects.toMatchObject({ code: 'already-exists' })
      await expect(within((read) => getClient(read, practice, meant.id))).rejects.toMatchObject({ code: 'not-found' })
    })

    test('whose id another practice took are refused without saying more', async () => {
      const theirs = await add({}, other)
      await expect(add({ id: theirs.id })).rejects.toMatchObject({ code: 'already-exists' })
      await expect(within((read) => getClient(read, practice, theirs.id))).rejects.toMatchObject({ code: 'not-found' })
    })

    test('are walked page by page, each once, ties of one moment by id', async () => {
      const whose = newId()
      await within((write) => ensurePractice(write, whose, 'Practice', 'free', now), whose)
      const ids: string[] = []
      for (let index = 0; index < 25; index += 1) ids.push((await add({ created_at: tied(index) }, whose)).id)
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await within((read) => listClients(read, whose, { limit: 7, cursor }), whose)
        seen.push(...page.data.map(({ id }) => id))
        cursor = page.next_cursor ?? undefined
      } while (cursor !== undefined)
      expect(seen).toHaveLength(25)
      expect(new Set(seen)).toEqual(new Set(ids))
    })

    test('changed since a moment are found in the order of their changes, whatever the spelling of that moment', async () => {
      const whose = newId()
      await within((write) => ensurePractice(write, whose, 'Practice', 'free', now), whose)
      const late = await add({ updated_at: '2026-03-02T00:00:00.000Z' }, whose)
      const early = await add({ updated_at: '2026-03-01T00:00:00.000Z' }, whose)
      await add({ updated_at: '2026-02-01T00:00:00.000Z' }, whose)
      const since = { limit: 10, updated_since: '2026-03-01T02:00:00+02:00' }
      const { data } = await within((read) => listClients(read, whose, since), whose)
      expect(data.map(({ id }) => id)).toEqual([early.id, late.id])
    })

    test('of clients are found by how words of their names begin', async () => {
      const whose = newId()
      await within((write) => ensurePractice(write, whose, 'Practice', 'free', now), whose)
      await add({ display_name: 'José Álvarez' }, whose)
      await add({ display_name: 'Anna-Maria O’Neil' }, whose)
      await add({ display_name: 'Ana 100%' }, whose)
      const found = async (q: string) =>
        (await within((read) => listClients(read, whose, { limit: 10, q }), whose)).data.map(({ display_name }) => display_name)
      expect(await found('alv jos')).toEqual(['José Álvarez'])
      expect(await found('varez')).toEqual([])
      expect(await found('mar neil')).toEqual(['Anna-Maria O’Neil'])
      expect((await found('an')).toSorted()).toEqual(['Ana 100%', 'Anna-Maria O’Neil'])
      expect(await found('%')).toEqual(['Ana 100%'])
      expect(await found('_')).toEqual([])
    })

    test('with sound keep its bytes', async () => {
      const bytes = Buffer.from([0, 255, 1, 2, 0])
      const upload = { id: newId(), session_id: null, recording_id: null, media_type: 'audio/wav', bytes: bytes.length }
      await within((write) => insertUpload(write, practice, upload, bytes, now))
      expect(Buffer.from((await within((read) => uploadContent(read, upload.id)))!)).toEqual(bytes)
    })
  })

  describe('what is done once', () => {
    test('is found by its key for ninety days, by whoever asked alone', async () => {
      const scope = { practice, person: newId(), key: 'k' }
      const reply = { request_hash: 'h', status: 201, record_kind: 'client' as const, record_id: newId(), record_version: 1 }
      const at = Date.parse(now)
      await within((write) => keepReply(write, scope, reply, at, true))
      expect(await within((read) => findKept(read, scope, at))).toMatchObject(reply)
      expect(await within((read) => findKept(read, { ...scope, person: newId() }, at))).toBeNull()
      expect(await within((read) => findKept(read, scope, at + 91 * 24 * 3_600_000))).toBeNull()
    })

    test('stands with all else in its transaction or not at all', async () => {
      const client = aClientRecord()
      const before = await within((read) => verifyAudit(read, practice))
      const failing = within(async (write) => {
        await insertClient(write, practice, client)
        await appendAudit(write, practice, anEvent())
        throw new AppError('conflict')
      })
      await expect(failing).rejects.toMatchObject({ code: 'conflict' })
      await expect(within((read) => getClient(read, practice, client.id))).rejects.toMatchObject({ code: 'not-found' })
      expect(await within((read) => verifyAudit(read, practice))).toEqual(before)
    })

    test('counts without a gap, however many write at once', async () => {
      const whose = newId()
      await within((write) => ensurePractice(write, whose, 'Practice', 'free', now), whose)
      const writes = Array.from({ length: 60 }, () => within((write) => appendAudit(write, whose, anEvent()), whose))
      await Promise.all(writes)
      expect(await within((read) => verifyAudit(read, whose), whose)).toMatchObject({ events: 60, broken_at: null })
    })
  })

  describe('long work', () => {
    const ask = async (payload: string, text: string | null = null) => {
      const id = newId()
      const operation = { id, practice_id: practice, kind: 'transcribe', route: 'transcribe', payload, agent: '{}' } as const
      await within((write) => insertOperation(write, operation, now, text))
      return operation
    }

    test('keeps its pieces, and the next one that asks the same goes on with them', async () => {
      const first = await ask('{"same":1}')
      await keepPiece(db, first, 0, 'heard')
      await keepPiece(db, first, 0, 'heard again')
      const failed = { status: 'failed', code: 'engine-failed', detail: null } as const
      await within((write) => endOperation(write, first, failed, now))
      const second = await ask('{"same":1}')
      await within((write) => takeOverPieces(write, second))
      expect(await within((read) => findPieces(read, second.id))).toEqual(new Map([[0, 'heard again']]))
      expect(await within((read) => findPieces(read, first.id))).toEqual(new Map())
    })

    test('finds what was said in its own row where it was asked for by a version that kept it there', async () => {
      const { id } = await ask('{}')
      const operation = await within((read) => getOperation(read, practice, id))
      const task = { transcript_id: null, transcript: 'I slept badly.' }
      expect(await within((read) => saidIn(read, operation, task, []))).toMatchObject({ text: 'I slept badly.' })
    })

    test('ends once, and forgets then what was asked and said', async () => {
      const operation = await ask('{"said":"secret"}', 'I slept badly.')
      const text = () => within((read) => findOperationText(read, operation.id))
      expect(await text()).toBe('I slept badly.')
      const end = () => within((write) => endOperation(write, operation, { status: 'cancelled' }, now))
      expect([await end(), await end()]).toEqual([true, false])
      expect(await within((read) => getOperation(read, practice, operation.id))).toMatchObject({
        status: 'cancelled',
        payload: null,
      })
      expect(await text()).toBeNull()
    })
  })

  describe('time that is booked', () => {
    const book = (session: Session) => within((write) => insertSession(write, practice, session))

    test('is booked once, of whatever many that try at once', async () => {
      const clients = await Promise.all(Array.from({ length: 12 }, () => add()))
      const tries = clients.map(({ id }) => book(aSessionRecord(id, '2026-05-01T10:00:00Z')))
      const ends = await Promise.allSettled(tries)
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'double-booking' })
    })

    test.each(['client', 'clinician', 'room'])('is the %s’s, even for a query that asks nobody first', async (whose) => {
      const [one, two] = [await add(), await add()]
      const day = { client: '2026-06-01', clinician: '2026-06-02', room: '2026-06-03' }[whose]!
      const taken = aSessionRecord(one.id, `${day}T10:00:00Z`, { clinician_id: newId(), room_id: `room ${whose}` })
      await book(taken)
      const free = aSessionRecord(two.id, `${day}T20:00:00Z`, { clinician_id: newId() })
      await book(free)
      const same = {
        client: { client_id: one.id },
        clinician: { clinician_id: taken.clinician_id },
        room: { room_id: taken.room_id },
      }[whose]!
      const moved = { starts_at: `${day}T10:30:00.000Z`, ends_at: `${day}T11:30:00.000Z` }
      const force = (columns: object) =>
        within((write) =>
          write
            .updateTable('sessions')
            .set({ ...columns, ...moved })
            .where('id', '=', free.id)
            .execute(),
        )
      await expect(force(same)).rejects.toMatchObject({ code: 'double-booking' })
      await force({})
    })

    test('is free again when it is called off, and right after the one before', async () => {
      const [one, two] = [await add(), await add()]
      const session = aSessionRecord(one.id, '2026-07-01T10:00:00Z')
      await book(session)
      await book(aSessionRecord(two.id, '2026-07-01T10:50:00Z'))
      await within((write) => updateSession(write, practice, changed({ ...session, status: 'cancelled' }, now)))
      await book(aSessionRecord(two.id, '2026-07-01T10:00:00Z'))
    })
  })

  test.each([1, migrations.length - 1])('a store at step %i is brought to this one with what it had', async (count) => {
    const old = await blankStore(kind)
    await old.bringTo(migrations.slice(0, count))
    await old.ask(`insert into practices (id, name, plan, created_at) values ('p', 'Old', 'free', '${now}')`)
    const opened = await openStore(old.options)
    expect(await opened.selectFrom('practices').select(['id', 'name']).execute()).toEqual([{ id: 'p', name: 'Old' }])
    await opened.destroy()
    expect(await old.ask('select version from schema_state')).toEqual([{ version: migrations.at(-1)!.version }])
    await old.remove()
  })

  test('a store that recorded only a number gets the step it skipped', async () => {
    const old = await blankStore(kind)
    await old.bringTo(migrations.filter(({ name }) => name !== '0020-reassignments'))
    await old.ask('delete from schema_steps')
    await (await openStore(old.options)).destroy()
    expect(await old.ask('select name from schema_steps order by name')).toEqual(migrations.map(({ name }) => ({ name })))
    expect(await old.ask('select * from reassignments')).toEqual([])
    await old.remove()
  })

  test('a store that a newer release wrote is left alone', async () => {
    const newer = await freshStore(kind)
    await (await openStore(newer.options)).destroy()
    await newer.ask('update schema_state set version = 999, min_safe_version = 999')
    await expect(openStore(newer.options)).rejects.toMatchObject({ code: 'database-newer' })
    await newer.remove()
  })
})

const tied = (index: number): string => `2026-01-01T00:00:0${index % 3}.000Z`

function anEvent(): AuditEvent {
  return {
    recorded: now,
    operation: 'getClient',
    action: 'R',
    outcome: '200',
    agent: { person: 'p', key: null, roles: ['owner'] },
    source: 'embedded',
    entities: [newId()],
    consent: null,
    purpose: null,
    request_id: newId(),
  }
}
