import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { Staff } from '#contract/model/staff.ts'
import type { Role } from '#contract/rest/route.ts'
import { staffShown } from '#service/access/limited-staff.ts'
import { requireClients } from '#service/access/people.ts'
import { requireMayGrant } from '#service/access/reach-key.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { requireVersion } from '#service/kernel/stale.ts'
import { isLastOwner, revokeKeysOf, withdrawRoles } from '../store/api-keys.ts'
import { changed, newRecord } from '../store/records.ts'
import { findStaff, getStaff, insertStaff, listStaff, updateStaff } from '../store/staff.ts'
import type { Write } from '../store/tables.ts'
import { named } from './clients.ts'

export function staffHandlers({ clock }: Services): HandlersOf<'listStaff' | 'getStaff' | 'createStaff' | 'updateStaff'> {
  return {
    listStaff: (call) => async (db) => {
      const page = await listStaff(db, call.practice, call.query)
      const data = page.data.map((person) => staffShown(call, person))
      return { status: 200, data: { ...page, data }, touched: data.map(({ id }) => id) }
    },
    getStaff: (call) => async (db) => ({
      status: 200,
      data: staffShown(call, await getStaff(db, call.practice, call.params.id)),
      touched: [call.params.id],
    }),
    createStaff: (call) => async (db) => {
      requireMayGrant(call.caller)
      const { id = newId(clock), ...draft } = call.body
      const person: Staff = { ...draft, ...newRecord(id, call.now) }
      await requireSupervisor(db, call.practice, person)
      await requireClients(db, call.caller, sharedIn(draft))
      await insertStaff(db, call.practice, person)
      if (person.status === 'left') await letGo(db, call, person)
      return { status: 201, data: person, record: { kind: 'staff', id, version: 1 }, touched: [id] }
    },
    updateStaff: (call) => async (db) => {
      requireMayGrant(call.caller)
      const current = await getStaff(db, call.practice, call.params.id)
      requireVersion(call.ifMatch, current)
      const person: Staff = changed({ ...current, ...named(call.body) }, call.now)
      if (person.supervisor_id !== current.supervisor_id) await requireSupervisor(db, call.practice, person)
      await requireClients(db, call.caller, sharedIn(call.body))
      await updateStaff(db, call.practice, person)
      if (person.status === 'left' && current.status !== 'left') await letGo(db, call, person)
      else
        await withdraw(
          db,
          call,
          person.id,
          current.roles.filter((role) => !person.roles.includes(role)),
        )
      return { status: 200, data: person, touched: [person.id] }
    },
  }
}

const sharedIn = ({ shared_clients = [] }: { readonly shared_clients?: readonly string[] | undefined }) =>
  shared_clients.map((id, index) => ({ pointer: `/shared_clients/${index}`, id }))

/** @throws AppError `validation-failed` */
async function requireSupervisor(db: Write, practice: string, { id, supervisor_id }: Staff): Promise<void> {
  if (supervisor_id === null) return
  const supervisor = supervisor_id === id ? null : await findStaff(db, practice, supervisor_id)
  if (supervisor?.status === 'active' && supervisor.roles.includes('supervisor')) return
  throw new AppError('validation-failed', undefined, [
    { pointer: '/supervisor_id', code: 'no_supervisor', message: 'nobody else who works here with the role supervisor' },
  ])
}

/** @throws AppError `conflict` where nobody with an owner's key would be left */
async function letGo(db: Write, { practice, now }: Pick<Call, 'practice' | 'now'>, { id }: Staff): Promise<void> {
  await requireOtherOwner(db, practice, id, now)
  await revokeKeysOf(db, practice, id, now)
}

/** @throws AppError `conflict` where nobody with an owner's key would be left */
async function withdraw(db: Write, { practice, now }: Pick<Call, 'practice' | 'now'>, person: string, roles: readonly Role[]) {
  if (roles.includes('owner')) await requireOtherOwner(db, practice, person, now)
  if (roles.length > 0) await withdrawRoles(db, practice, person, roles, now)
}

async function requireOtherOwner(db: Write, practice: string, person: string, now: string): Promise<void> {
  if (!(await isLastOwner(db, practice, person, now))) return
  throw new AppError('conflict', 'They hold the last key of an owner. Make one for another owner first.')
}
