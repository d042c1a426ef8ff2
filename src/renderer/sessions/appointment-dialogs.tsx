import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Cancellation, SessionRow } from '#contract/bridge/sessions.ts'
import type { Session, SessionPatch } from '#contract/model/session.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { BridgeFailure, call } from '#renderer/bridge/use-bridge.ts'
import { useSettings } from '#renderer/lib/app-state.ts'
import { fromLocalValues, localDateValue, localTimeValue } from '#renderer/lib/local-values.ts'
import { useName } from '#renderer/lib/names.ts'
import { textOrNull } from '#renderer/lib/text.ts'
import { useForm } from '#renderer/lib/use-form.ts'
import { formatDayTime } from '#renderer/strings/time.ts'
import { appointmentWords as words } from '#renderer/strings/today.ts'
import { Checkbox, RadioGroup } from '#renderer/ui/choice.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { failureText, useDone, useSeries } from './appointment-series.ts'
import { startOf, TimeOptions, useOtherTimes } from './appointment-times.tsx'
import { BookingProblem, DetailFieldset, WhenFieldset } from './new-session-dialog.tsx'
import { checkWhen, type DetailFields, participantsOf, type WhenFields } from './new-session-form.ts'
import { type Changes, movedSeries } from './series-times.ts'
import { isDocumented, isOff } from './session-status.ts'

type Times = Pick<Session, 'starts_at' | 'duration_minutes'>

/** Moves or resizes an appointment at once. Where another one is in the way, a dialog names it and suggests times. */
export function useMoveAppointment() {
  const nameOf = useName()
  const toast = useToast()
  const done = useDone()
  const [refused, setRefused] = useState<Omit<ChangeDialogProps, 'what' | 'onClose' | 'onDone'> | null>(null)
  async function move(row: SessionRow, times: Times, other: SessionRow | null): Promise<void> {
    const { id, version } = row.session
    const refuse = (refusal: BridgeFailure): void => setRefused({ row, wanted: times, refusal })
    if (other !== null) return refuse(new BridgeFailure('double-booking', other.session.id))
    showTimes(id, times, version)
    try {
      const after = await call('sessions.update', { id, version, patch: times })
      showTimes(id, times, after.version)
      done([row], words.done.moved({ name: nameOf(row.client_name), when: formatDayTime(times.starts_at) }))
    } catch (error) {
      showTimes(id, row.session, version)
      if (error instanceof BridgeFailure && error.code === 'double-booking') refuse(error)
      else toast({ text: failureText(error), kind: 'told' })
    }
  }
  const onClose = (): void => setRefused(null)
  return { move, dialog: refused && <ChangeDialog {...refused} what="reschedule" onClose={onClose} onDone={done} /> }
}

/** Shows the times before they are saved. The core announces the change, and then the rows are read again. */
function showTimes(id: string, { starts_at, duration_minutes }: Times, version: number): void {
  const ends_at = new Date(Date.parse(starts_at) + duration_minutes * 60_000).toISOString()
  const shown = ({ session, ...row }: SessionRow): SessionRow => ({
    ...row,
    session: { ...session, starts_at, duration_minutes, ends_at, version },
  })
  queryClient.setQueriesData<SessionRow[]>({ queryKey: ['sessions.list'] }, (rows) =>
    rows?.map((row) => (row.session.id === id ? shown(row) : row)),
  )
}

export interface DialogProps<What> {
  readonly row: SessionRow
  readonly what: What
  readonly onClose: () => void
  readonly onDone: ReturnType<typeof useDone>
}
type EndDialogProps = DialogProps<'cancel' | 'delete'> & { readonly onDeleted: (() => void) | undefined }
/** `refusal`: why the appointment could not be put at the `wanted` time, which is its own if left out. */
type ChangeDialogProps = DialogProps<'reschedule' | 'edit'> & { readonly refusal?: BridgeFailure; readonly wanted?: Times }

export function ChangeDialog({ row, what, refusal, wanted = row.session, onClose, onDone }: ChangeDialogProps) {
  const { starts_at, duration_minutes, session_type, modality, participants } = row.session
  const name = useName()(row.client_name)
  const others = participants.flatMap((one) => (one.role === 'client' ? [] : [one.name])).join('\n')
  const when = { ...whenFields(wanted.starts_at), minutes: String(wanted.duration_minutes) }
  const form = useForm<WhenFields & DetailFields>({ ...when, session_type, modality, others }, checkWhen)
  const { fields } = form
  const start = fromLocalValues(fields.date, fields.time)?.toISOString()
  const series = useSeries(row, what)
  const update = useSaving(row, (changes, after) => {
    onClose()
    const when = formatDayTime(after.starts_at ?? starts_at)
    const count = changes.length
    const text = count === 1 ? words.done.moved({ name, when }) : words.series.done.reschedule({ name, count })
    if (what === 'reschedule') onDone(changes, text)
  })
  const error = update.error ?? (update.isIdle ? refusal : undefined)
  const { starts_at: from = wanted.starts_at, duration_minutes: length = wanted.duration_minutes } = update.patch ?? {}
  const { proposals } = useOtherTimes(
    { ...row.session, starts_at: from, duration_minutes: length },
    error?.code === 'double-booking',
  )
  const chosen = proposals.find((one) => startOf(one) === start)?.id ?? null
  const choose = (choice: string): void => form.set(whenFields(startOf(proposals.find((one) => one.id === choice)!)))
  const submit = form.submit(() => {
    const people = participantsOf(row.client_name, fields, participants)
    const details = { session_type: fields.session_type, modality: fields.modality, participants: people }
    const time = { starts_at: start, duration_minutes: Number(fields.minutes) }
    const patch = what === 'edit' ? details : isOff(row) ? { ...time, status: 'scheduled' as const } : time
    const isAlone = what === 'edit' || series.scope === 'one'
    if (!update.isPending) update.save(isAlone ? { rows: [row], patchOf: () => patch } : movedSeries(series.chosen, row, patch))
  })
  return (
    <FormDialog
      {...words[what]}
      title={words.titles[what]({ name })}
      lead={words.booked({ when: formatDayTime(starts_at), minutes: duration_minutes })}
      busy={update.isPending && words.saving}
      onClose={onClose}
      onSubmit={submit}
    >
      {what === 'edit' ? <DetailFieldset form={form} /> : <WhenFieldset form={form} />}
      {what === 'reschedule' && <ScopeChoice {...series} />}
      {error && <BookingProblem error={error} />}
      {error && proposals.length > 0 && (
        <TimeOptions label={words.options} proposals={proposals} value={chosen} onChange={choose} />
      )}
      {what === 'reschedule' && <p className="caption">{words.tell({ name })}</p>}
    </FormDialog>
  )
}

/** `onSaved` gets the rows as they were, and what was changed of `row`. */
function useSaving(row: SessionRow, onSaved: (before: readonly SessionRow[], after: SessionPatch) => void) {
  const { mutate, variables, ...state } = useMutation<unknown, BridgeFailure, Changes>({
    mutationFn: ({ rows, patchOf }) => {
      const changes = rows.map((one) => ({ ...versionOf(one), patch: patchOf(one), cancellation: null }))
      const [only] = changes
      return changes.length === 1 && only ? call('sessions.update', only) : call('sessions.changeAll', { changes })
    },
    onSuccess: (_, { rows, patchOf }) => onSaved(rows, patchOf(row)),
  })
  return { ...state, save: mutate, patch: variables?.patchOf(row) }
}

const versionOf = ({ session: { id, version } }: SessionRow) => ({ id, version })

const whenFields = (at: string) => ({ date: localDateValue(new Date(at)), time: localTimeValue(new Date(at)) })

/** A documented appointment is not deleted: the dialog says so and cancels it. */
export function EndDialog({ row, what, onClose, onDone, onDeleted }: EndDialogProps) {
  const { starts_at, duration_minutes } = row.session
  const name = useName()(row.client_name)
  const when = formatDayTime(starts_at)
  const hasPractice = useSettings()?.service_address != null
  const [is_late, setLate] = useState(false)
  const [reason, setReason] = useState('')
  const is_deleted = what === 'delete' && !isDocumented(row)
  const does = is_deleted ? 'delete' : 'cancel'
  const series = useSeries(row, does)
  const cancel = useMutation<unknown, BridgeFailure, Cancellation & { readonly rows: readonly SessionRow[] }>({
    mutationFn: ({ rows, ...cancellation }) => {
      const [only] = rows
      if (rows.length === 1 && only) return call('sessions.cancel', { ...versionOf(only), ...cancellation })
      return call('sessions.changeAll', { changes: rows.map((one) => ({ ...versionOf(one), patch: {}, cancellation })) })
    },
    onSuccess: (_, { rows }) => {
      onClose()
      if (is_deleted) onDeleted?.()
      onDone(rows, rows.length === 1 ? words.done[does]({ name, when }) : words.series.done[does]({ name, count: rows.length }))
    },
  })
  return (
    <FormDialog
      {...words[does]}
      title={words.titles[does]({ name })}
      lead={words.booked({ when, minutes: duration_minutes })}
      busy={cancel.isPending && words.saving}
      isCancelFocused
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        if (!cancel.isPending) cancel.mutate({ rows: series.chosen, is_late, reason: textOrNull(reason), is_deleted })
      }}
    >
      {isDocumented(row) && <p>{words.documented[what]}</p>}
      {is_deleted && <p>{words.deletes({ hasPractice })}</p>}
      <ScopeChoice {...series} />
      {!is_deleted && <Checkbox {...words.late} isSelected={is_late} onChange={setLate} />}
      {!is_deleted && <TextField {...words.reason} value={reason} onChange={setReason} maxLength={4000} isMultiline rows={2} />}
      {cancel.error && <Problem code={cancel.error.code} />}
    </FormDialog>
  )
}

function ScopeChoice({ isOffered, scope, setScope, rows }: ReturnType<typeof useSeries>) {
  if (!isOffered) return null
  const { label, one, following, all } = words.series
  const options = [
    { value: 'one' as const, label: one },
    { value: 'following' as const, label: following({ count: rows.following.length }) },
    { value: 'all' as const, label: all({ count: rows.all.length }) },
  ]
  return <RadioGroup label={label} options={options} value={scope} onChange={setScope} />
}
