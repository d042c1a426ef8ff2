import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import type { BreakGlass } from '#contract/model/break-glass.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { getBreakGlass, insertBreakGlass, listBreakGlass, updateBreakGlass } from '../store/break-glass.ts'
import { getClient } from '../store/clients.ts'
import { changed, newRecord } from '../store/records.ts'

const openForMs = 60 * 60_000

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
        ends_at: new Date(Date.parse(now) + openForMs).toISOString(),
        review_due_at: endOfNextWorkingDay(now),
        review: null,
      }
      await insertBreakGlass(db, practice, opened)
      return { status: 201, data: opened, record: { kind: 'break-glass', id, version: 1 }, touched: [id, body.client_id] }
    },
    listBreakGlass: (call) => async (db) => {
      const isOwn = call.scope.clinicians !== 'all'
      const page = await listBreakGlass(db, call.practice, call.query, isOwn ? call.caller.person_id : null)
      const data = page.data.map((opened) => shown(call, opened))
      return { status: 200, data: { ...page, data }, touched: data.map(({ id }) => id) }
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

/** What was written of an emergency may say more of a client than ids do. */
function shown({ caller, scope }: Pick<Call, 'caller' | 'scope'>, opened: BreakGlass): BreakGlass {
  if (scope.limited === null || opened.person_id === caller.person_id) return opened
  return { ...opened, reason: null, review: opened.review && { ...opened.review, comment: null } }
}

/** A review is due within one working day (UTC, Monday to Friday). */
function endOfNextWorkingDay(now: string): string {
  const day = new Date(`${now.slice(0, 10)}T23:59:59.000Z`)
  do day.setUTCDate(day.getUTCDate() + 1)
  while (day.getUTCDay() === 0 || day.getUTCDay() === 6)
  return day.toISOString()
}
