import { useState } from 'react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { call, failureCode, useCall } from '#renderer/bridge/use-bridge.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { appointmentWords as words } from '#renderer/strings/today.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import { type AppointmentAction, appointmentActions, isDocumented } from './session-status.ts'

type Scope = 'one' | 'following' | 'all'

/** The appointments of a series that an action can change: this one, this and later ones, or all that are to come. */
export function useSeries(row: SessionRow, action: AppointmentAction) {
  const { id, client_id, series_id, starts_at } = row.session
  const [scope, setScope] = useState<Scope>('one')
  const { data = [] } = useCall('sessions.list', { client_id }, { enabled: series_id !== null })
  const now = new Date()
  const all = data.filter(
    (other) =>
      other.session.series_id === series_id &&
      (other.session.id === id || Date.parse(other.session.starts_at) > now.getTime()) &&
      appointmentActions(other, now).includes(action) &&
      !(action === 'delete' && isDocumented(other)),
  )
  const following = all.filter(({ session }) => session.starts_at >= starts_at)
  const isOffered = all.length > 1 && all.some(({ session }) => session.id === id)
  const rows = { one: [row], following, all }
  return { isOffered, scope, setScope, rows, chosen: rows[scope] }
}

/** Puts back times and statuses, and what was known of a cancellation, of all rows or of none. `rows`: in the order of their changes. */
async function putBack(rows: readonly SessionRow[]): Promise<void> {
  const changes = rows.toReversed().map(async ({ session, cancellation }) => {
    const { id, status, starts_at, duration_minutes } = session
    const { version } = (await call('sessions.get', { id })).session
    return { id, version, patch: { status, starts_at, duration_minutes }, cancellation }
  })
  await call('sessions.changeAll', { changes: await Promise.all(changes) })
}

export function failureText(error: unknown): string {
  const { happened, next } = errorSentences[failureCode(error)]
  return `${happened} ${next}`
}

/** Shows what was done, with Undo. `rows`: as they were, in the order in which they were changed. */
export function useDone(): (rows: readonly SessionRow[], text: string) => void {
  const toast = useToast()
  return (rows, text) =>
    toast({ text, onUndo: () => void putBack(rows).catch(() => toast({ text: words.undoFailed, kind: 'told' })) })
}
