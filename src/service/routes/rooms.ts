import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { Availability } from '#contract/model/availability.ts'
import type { Room } from '#contract/model/room.ts'
import { requirePeople } from '#service/access/people.ts'
import { mayReach, withinScope } from '#service/access/scope.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import { requireVersion, Stale } from '#service/kernel/stale.ts'
import {
  clinicianOf,
  findAvailability,
  findRoom,
  getAvailability,
  getRoom,
  insertAvailability,
  insertRoom,
  listAvailability,
  listRooms,
  updateAvailability,
  updateRoom,
} from '../store/availability.ts'
import { atFreeId, changed, newRecord } from '../store/records.ts'
import { NotFound } from '#service/kernel/not-found.ts'

export function roomHandlers(): HandlersOf<'listRooms' | 'getRoom' | 'putRoom'> {
  return {
    listRooms:
      ({ practice, query }) =>
      async (db) => {
        const data = await listRooms(db, practice, query)
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getRoom:
      ({ practice, params }) =>
      async (db) => ({ status: 200, data: await getRoom(db, practice, params.id), touched: [params.id] }),
    putRoom:
      ({ practice, params, body, ifMatch, now }) =>
      async (db) => {
        const current = await findRoom(db, practice, params.id)
        requireCurrent(ifMatch, current)
        const room: Room = current ? changed({ ...current, ...body }, now) : { ...body, ...newRecord(params.id, now) }
        if (current) await updateRoom(db, practice, room)
        else await atFreeId(db, 'rooms', params.id, () => insertRoom(db, practice, room))
        return { status: current ? 200 : 201, data: room, touched: [params.id] }
      },
  }
}

export function availabilityHandlers(): HandlersOf<'listAvailability' | 'getAvailability' | 'putAvailability'> {
  return {
    listAvailability:
      ({ practice, query, scope }) =>
      async (db) => {
        if (query.clinician_id !== undefined && !mayReach(scope, query.clinician_id)) throw new NotFound(query.clinician_id)
        // What holds for everybody is everybody's to know.
        const within = sql<SqlBool>`(${withinScope(scope, 'clinician_id')} or clinician_id is null)`
        const data = await listAvailability(db, practice, query, [within])
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getAvailability:
      ({ practice, params, scope }) =>
      async (db) => {
        const data = await getAvailability(db, practice, params.id)
        const clinician = clinicianOf(data)
        if (clinician !== null && !mayReach(scope, clinician)) throw new NotFound(params.id)
        return { status: 200, data, touched: [params.id] }
      },
    putAvailability: (call) => async (db) => {
      const { practice, params, body, ifMatch, now } = call
      const current = await findAvailability(db, practice, params.id)
      if (current !== null) requireOwn(call, current)
      requireOwn(call, body)
      requireCurrent(ifMatch, current)
      await requirePeople(db, call.caller, [{ pointer: '/clinician_id', id: clinicianOf(body) }])
      if (body.kind === 'room_closed') await getRoom(db, practice, body.room_id)
      const { id, created_at, updated_at, version } = current ?? newRecord(params.id, now)
      const kept = { ...body, id, created_at, updated_at, version } as Availability
      const one = current ? changed(kept, now) : kept
      if (current) await updateAvailability(db, practice, one)
      else await atFreeId(db, 'availability', params.id, () => insertAvailability(db, practice, one))
      return { status: current ? 200 : 201, data: one, touched: [params.id] }
    },
  }
}

/** @throws AppError `version-required`, `stale-version` */
function requireCurrent(ifMatch: string | null, current: { readonly version: number } | null): void {
  if (current !== null) requireVersion(ifMatch, current)
  else if (ifMatch !== null) throw new Stale(null)
}

/**
 * Clinicians keep their own; what holds for all or for a room is kept by those who book for all.
 *
 * @throws AppError `not-found` where it is another's, `forbidden` where it is everybody's
 */
function requireOwn({ scope }: Pick<Call, 'scope'>, one: Pick<Availability, 'kind'> & { clinician_id?: string }): void {
  const clinician = clinicianOf(one)
  if (clinician === null && scope.clinicians !== 'all') throw new AppError('forbidden')
  if (clinician !== null && !mayReach(scope, clinician)) throw new NotFound(clinician)
}
