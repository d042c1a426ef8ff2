import { ArrowRight, Ban, CalendarCheck, CalendarClock, Ellipsis, Pencil, Trash2, Undo2, UserX } from 'lucide-react'
import { cloneElement, useState, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { BridgeFailure, call, failureCode, useAction } from '#renderer/bridge/use-bridge.ts'
import { useSettings } from '#renderer/lib/app-state.ts'
import { fromLocalValues, localDateValue, localTimeValue } from '#renderer/lib/local-values.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { textOrNull } from '#renderer/lib/text.ts'
import { useForm } from '#renderer/lib/use-form.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { formatDayTime } from '#renderer/strings/time.ts'
import { appointmentWords as words } from '#renderer/strings/today.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { FormDialog } from '#renderer/ui/dialog.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { startOf, TimeOptions, useOtherTimes } from './appointment-times.tsx'
import { BookingProblem, DetailFieldset, WhenFieldset } from './new-session-dialog.tsx'
import { checkWhen, type DetailFields, participantsOf, type WhenFields } from './new-session-form.ts'
import { type AppointmentAction, appointmentActions, isDocumented, isOff, sessionStatus } from './session-status.ts'

const [held, no_show, edit, restore] = [CalendarCheck, UserX, Pencil, Undo2]
const icons = { held, reschedule: CalendarClock, edit, no_show, restore, cancel: Ban, delete: Trash2 }

interface AppointmentMenuProps {
  readonly row: SessionRow
  readonly trigger: ReactElement<{ readonly onPress?: () => void }>
  /** The trigger is the appointment itself, so its menu also opens the session. */
  readonly isWhole?: boolean
  readonly className?: string
  readonly onDeleted?: () => void
  readonly children?: ReactNode
}

/** A right click on the children opens the menu too. */
export function AppointmentMenu({ row, trigger, isWhole = false, className, onDeleted, children }: AppointmentMenuProps) {
  const name = useName()(row.client_name)
  const [isOpen, setOpen] = useState(false)
  const { act, dialog } = useAppointment(row, onDeleted)
  const onPress = (): void => navigate(sessionPath(row.session.id, sessionStatus(row).tab))
  const open = { id: 'open', label: words.open, icon: ArrowRight, onAction: onPress }
  const entries = appointmentActions(row, useNow()).map((id) => ({
    id,
    label: words.actions[id],
    icon: icons[id],
    isErasing: id === 'delete',
    startsGroup: id === 'cancel',
    onAction: () => act(id),
  }))
  const onContextMenu = (event: MouseEvent): void => {
    // React also sends events of dialogs that are rendered elsewhere in the document.
    if (!event.currentTarget.contains(event.target as Node)) return
    if (entries.length > 0) event.preventDefault()
    setOpen(entries.length > 0)
  }
  const menu = { trigger, isOpen, label: words.menuOf({ name }), entries: isWhole ? [open, ...entries] : entries }
  return (
    <>
      <div className={className} onContextMenu={onContextMenu}>
        {children}
        {entries.length > 0 ? <Menu {...menu} onOpenChange={setOpen} /> : isWhole && cloneElement(trigger, { onPress })}
      </div>
      {dialog}
    </>
  )
}

export function AppointmentRow(props: Pick<AppointmentMenuProps, 'row' | 'className' | 'children'>) {
  const label = words.menuOf({ name: useName()(props.row.client_name) })
  const trigger = <IconButton label={label} icon={Ellipsis} size="row" className="appointment-more" />
  return <AppointmentMenu {...props} trigger={trigger} />
}

/** For a past appointment that the therapist has not marked as held, canceled, or a no-show. */
export function TookPlace({ row }: { readonly row: SessionRow }) {
  const name = useName()(row.client_name)
  const { act, dialog } = useAppointment(row)
  return (
    <div className="took-place" role="group" aria-label={words.tookPlaceOf({ name })}>
      <span className="caption">{words.tookPlace}</span>
      {(['held', 'no_show', 'cancel'] as const).map((action) => (
        <Button key={action} size="row" onPress={() => act(action)} label={words.answers[action]} />
      ))}
      {dialog}
    </div>
  )
}

const statuses = { held: 'completed', no_show: 'no_show', restore: 'scheduled' } as const
type Open = Exclude<AppointmentAction, keyof typeof statuses> | BridgeFailure

function useAppointment(row: SessionRow, onDeleted?: () => void) {
  const { id, version, starts_at } = row.session
  const name = useName()(row.client_name)
  const toast = useToast()
  const done = useDone(row)
  const [open, setOpen] = useState<Open | null>(null)
  const mark = async (action: keyof typeof statuses): Promise<void> => {
    try {
      await call('sessions.update', { id, version, patch: { status: statuses[action] } })
      done(words.done[action]({ name, when: formatDayTime(starts_at) }))
    } catch (error) {
      if (error instanceof BridgeFailure && error.code === 'double-booking') return setOpen(error)
      const { happened, next } = errorSentences[failureCode(error)]
      toast({ text: `${happened} ${next}`, kind: 'told' })
    }
  }
  const act = (action: AppointmentAction): void => {
    if (action === 'held' || action === 'no_show' || action === 'restore') void mark(action)
    else setOpen(action)
  }
  const common = { row, onClose: () => setOpen(null), onDone: done }
  const dialogOf = (of: Open): ReactElement => {
    if (of instanceof BridgeFailure) return <ChangeDialog {...common} what="reschedule" refusal={of} />
    if (of === 'cancel' || of === 'delete') return <EndDialog {...common} what={of} onDeleted={onDeleted} />
    return <ChangeDialog {...common} what={of} />
  }
  return { act, dialog: open && dialogOf(open) }
}

/** Shows what was done, with Undo: it puts time and status back, and what was known of a cancellation. */
function useDone({ session, cancellation }: SessionRow): (text: string) => void {
  const toast = useToast()
  const { id, status, starts_at, duration_minutes } = session
  const undo = async (): Promise<void> => {
    const { version } = (await call('sessions.get', { id })).session
    const before = await call('sessions.update', { id, version, patch: { status, starts_at, duration_minutes } })
    if (cancellation !== null) await call('sessions.cancel', { id, version: before.version, ...cancellation })
  }
  return (text) => toast({ text, onUndo: () => void undo().catch(() => toast({ text: words.undoFailed, kind: 'told' })) })
}

type DialogProps<What> = Readonly<{ row: SessionRow; what: What; onClose: () => void; onDone: (text: string) => void }>
type EndDialogProps = DialogProps<'cancel' | 'delete'> & { readonly onDeleted: (() => void) | undefined }
/** `refusal`: why the appointment could not be put back at its own time. */
type ChangeDialogProps = DialogProps<'reschedule' | 'edit'> & { readonly refusal?: BridgeFailure }

function ChangeDialog({ row, what, refusal, onClose, onDone }: ChangeDialogProps) {
  const { id, version, starts_at, duration_minutes, session_type, modality, participants } = row.session
  const name = useName()(row.client_name)
  const others = participants.flatMap((one) => (one.role === 'client' ? [] : [one.name])).join('\n')
  const when = { ...whenFields(starts_at), minutes: String(duration_minutes) }
  const form = useForm<WhenFields & DetailFields>({ ...when, session_type, modality, others }, checkWhen)
  const { fields } = form
  const start = fromLocalValues(fields.date, fields.time)?.toISOString()
  const update = useAction('sessions.update', (after) => {
    onClose()
    if (what === 'reschedule') onDone(words.done.moved({ name, when: formatDayTime(after.starts_at) }))
  })
  const error = update.error ?? (update.isIdle ? refusal : undefined)
  const wanted = update.variables?.patch.starts_at ?? starts_at
  const { proposals } = useOtherTimes({ ...row.session, starts_at: wanted }, error?.code === 'double-booking')
  const chosen = proposals.find((one) => startOf(one) === start)?.id ?? null
  const choose = (choice: string): void => form.set(whenFields(startOf(proposals.find((one) => one.id === choice)!)))
  const submit = form.submit(() => {
    const people = participantsOf(row.client_name, fields, participants)
    const details = { session_type: fields.session_type, modality: fields.modality, participants: people }
    const time = { starts_at: start, duration_minutes: Number(fields.minutes) }
    const patch = what === 'edit' ? details : isOff(row) ? { ...time, status: 'scheduled' as const } : time
    if (!update.isPending) update.mutate({ id, version, patch })
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
      {error && <BookingProblem error={error} />}
      {error && proposals.length > 0 && (
        <TimeOptions label={words.options} proposals={proposals} value={chosen} onChange={choose} />
      )}
      {what === 'reschedule' && <p className="caption">{words.tell({ name })}</p>}
    </FormDialog>
  )
}

const whenFields = (at: string) => ({ date: localDateValue(new Date(at)), time: localTimeValue(new Date(at)) })

/** A documented appointment is not deleted: the dialog says so and cancels it. */
function EndDialog({ row, what, onClose, onDone, onDeleted }: EndDialogProps) {
  const { id, version, starts_at, duration_minutes } = row.session
  const name = useName()(row.client_name)
  const when = formatDayTime(starts_at)
  const hasPractice = useSettings()?.service_address != null
  const [is_late, setLate] = useState(false)
  const [reason, setReason] = useState('')
  const is_deleted = what === 'delete' && !isDocumented(row)
  const does = is_deleted ? 'delete' : 'cancel'
  const cancel = useAction('sessions.cancel', () => {
    onClose()
    if (is_deleted) onDeleted?.()
    onDone(words.done[does]({ name, when }))
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
        if (!cancel.isPending) cancel.mutate({ id, version, is_late, reason: textOrNull(reason), is_deleted })
      }}
    >
      {isDocumented(row) && <p>{words.documented[what]}</p>}
      {is_deleted && <p>{words.deletes({ hasPractice })}</p>}
      {!is_deleted && <Checkbox {...words.late} isSelected={is_late} onChange={setLate} />}
      {!is_deleted && <TextField {...words.reason} value={reason} onChange={setReason} maxLength={4000} isMultiline rows={2} />}
      {cancel.error && <Problem code={cancel.error.code} />}
    </FormDialog>
  )
}
