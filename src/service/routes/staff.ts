import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { Staff } from '#contract/model/staff.ts'
import type { Role } from '#contract/rest/route.ts'
import { staffShown } from '#service/access/limited-fields.ts'
import { requireClients } from '#service/access/people.ts'
import { requireMayGrant } from '#service/access/api-key.ts'
import { type Call, foundReply, type HandlersOf, pageReply } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { invalid, requireVersion } from '#service/kernel/problem.ts'
import { isLastOwner, revokeKeysOf, withdrawRoles, findApiKey } from '../store/api-keys.ts'
import { changed, newRecord } from '../store/records.ts'
import { findStaff, getStaff, insertStaff, listStaff, updateStaff } from '../store/staff.ts'
import type { Write, Database } from '../store/tables.ts'
import { named } from './clients.ts'
import { dailyQuota, type Me } from '#contract/model/me.ts'
import { findPracticeName } from '../store/practices.ts'
import { endOfDay, useToday } from '../store/call-counts.ts'
import type { BreakGlass } from '#contract/model/caseload.ts'
import { getBreakGlass, insertBreakGlass, listBreakGlass, updateBreakGlass } from '../store/staff.ts'
import { getClient } from '../store/clients.ts'

export function staffHandlers({ clock }: Services): HandlersOf<'listStaff' | 'getStaff' | 'createStaff' | 'updateStaff'> {
  return {
    listStaff: (call) => async (db) => {
      const page = await listStaff(db, call.practice, call.query)
      return pageReply({ ...page, data: page.data.map((person) => staffShown(call, person)) })
    },
    getStaff: (call) => async (db) => foundReply(staffShown(call, await getStaff(db, call.practice, call.params.id))),
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
      const lost = current.roles.filter((role) => !person.roles.includes(role))
      if (person.status === 'left' && current.status !== 'left') await letGo(db, call, person)
      else await withdraw(db, call, person.id, lost)
      return { status: 200, data: person, touched: [person.id] }
    },
  }
}

const sharedIn = ({ shared_clients = [] }: { readonly shared_clients?: readonly string[] | undefined }) =>
  shared_clients.map((id, index) => ({ pointer: `/shared_clients/${index}`, id }))

async function requireSupervisor(db: Write, practice: string, { id, supervisor_id }: Staff): Promise<void> {
  if (supervisor_id === null) return
  const supervisor = supervisor_id === id ? null : await findStaff(db, practice, supervisor_id)
  if (supervisor?.status === 'active' && supervisor.roles.includes('supervisor')) return
  throw invalid('/supervisor_id', 'no_supervisor', 'nobody else who works here with the role supervisor')
}

async function letGo(db: Write, { practice, now }: Pick<Call, 'practice' | 'now'>, { id }: Staff): Promise<void> {
  await requireOtherOwner(db, practice, id, now)
  await revokeKeysOf(db, practice, id, now)
}

async function withdraw(db: Write, { practice, now }: Pick<Call, 'practice' | 'now'>, person: string, roles: readonly Role[]) {
  if (roles.includes('owner')) await requireOtherOwner(db, practice, person, now)
  if (roles.length > 0) await withdrawRoles(db, practice, person, roles, now)
}

async function requireOtherOwner(db: Write, practice: string, person: string, now: string): Promise<void> {
  if (!(await isLastOwner(db, practice, person, now))) return
  throw new AppError('conflict', 'They hold the last key of an owner. Make one for another owner first.')
}

export function meHandlers({ consentPolicy }: Services): HandlersOf<'whoAmI'> {
  return {
    whoAmI: (call) => async (db) => {
      const { practice, caller } = call
      const { person_id, key_id, roles, plan, has_former_secret = false, ends_at = null } = caller
      const data: Me = {
        practice: { id: practice, name: (await findPracticeName(db, practice)) ?? '' },
        person_id,
        name: (await findStaff(db, practice, person_id))?.name ?? null,
        roles: [...roles],
        consent_policy: consentPolicy,
        plan,
        quota: await quotaOf(db, call),
        key: key_id === null ? null : await findApiKey(db, practice, key_id),
        has_former_secret,
        ends_at,
      }
      return { status: 200, data, touched: key_id === null ? [person_id] : [person_id, key_id] }
    },
  }
}

async function quotaOf(db: Database, { practice, caller, now }: Call<'whoAmI'>): Promise<Me['quota']> {
  const limit = dailyQuota[caller.plan]
  if (limit === null) return null
  const { day, used } = await useToday(db, practice, Date.parse(now))
  return { limit, used, resets_at: new Date(endOfDay(day)).toISOString() }
}

const OPEN_FOR_MS = 60 * 60_000

export function breakGlassHandlers({ clock }: Services): HandlersOf<'breakGlass' | 'listBreakGlass' | 'reviewBreakGlass'> {
  return {
    breakGlass: (call) => async (db) => {
      const { practice, body, caller, now } = call
      await getClient(db, practice, body.client_id)
      const { id = newId(clock), ...asked } = body
      const opened: BreakGlass = {
        ...asked,
        ...newRecord(id, now),
        person_id: caller.person_id,
        ends_at: new Date(Date.parse(now) + OPEN_FOR_MS).toISOString(),
        review_due_at: endOfNextWorkingDay(now),
        review: null,
      }
      await insertBreakGlass(db, practice, opened)
      return { status: 201, data: opened, record: { kind: 'break-glass', id, version: 1 }, touched: [id, body.client_id] }
    },
    listBreakGlass: (call) => async (db) => {
      const person_id = call.scope.clinicians === 'all' ? undefined : call.caller.person_id
      const page = await listBreakGlass(db, call.practice, { ...call.query, person_id })
      return pageReply({ ...page, data: page.data.map((opened) => shown(call, opened)) })
    },
    reviewBreakGlass: (call) => async (db) => {
      const { practice, params, body, caller, now } = call
      const current = await getBreakGlass(db, practice, params.id)
      if (current.review !== null) throw new AppError('conflict', 'This was reviewed already.')
      const opened = changed({ ...current, review: { ...body, by: caller.person_id, at: now } }, now)
      await updateBreakGlass(db, practice, opened)
      const record = { kind: 'break-glass', id: opened.id, version: opened.version } as const
      return { status: 200, data: opened, record, touched: [opened.id, opened.client_id] }
    },
  }
}

function shown({ caller, scope }: Pick<Call, 'caller' | 'scope'>, opened: BreakGlass): BreakGlass {
  if (scope.limited === null || opened.person_id === caller.person_id) return opened
  return { ...opened, reason: null, review: opened.review && { ...opened.review, comment: null } }
}

function endOfNextWorkingDay(now: string): string {
  const day = new Date(`${now.slice(0, 10)}T23:59:59.000Z`)
  do day.setUTCDate(day.getUTCDate() + 1)
  while (day.getUTCDay() === 0 || day.getUTCDay() === 6)
  return day.toISOString()
}
