import { ArrowRight, Ban, CalendarCheck, CalendarClock, Ellipsis, Pencil, Trash2, Undo2, UserX } from 'lucide-react'
import {
  cloneElement,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
} from 'react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { BridgeFailure, call } from '#renderer/bridge/use-bridge.ts'
import { useSettings } from '#renderer/lib/app-state.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { formatClocks, formatDayAndDate, formatDayTime } from '#renderer/strings/time.ts'
import { appointmentWords as words, modalityWords, sessionTypeWords } from '#renderer/strings/today.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { failureText, useDone } from './appointment-series.ts'
import { ChangeDialog, EndDialog } from './lazy-dialogs.ts'
import { type AppointmentAction, appointmentActions, sessionStatus } from './session-status.ts'

const [held, no_show, edit, restore] = [CalendarCheck, UserX, Pencil, Undo2]
const icons = { held, reschedule: CalendarClock, edit, no_show, restore, cancel: Ban, delete: Trash2 }

const keys: Partial<Record<AppointmentAction, string>> = { reschedule: 'R', edit: 'E' }

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
  const singleKeys = useSettings()?.single_key_shortcuts !== false
  const { act, dialog } = useAppointment(row, onDeleted)
  const onPress = (): void => navigate(sessionPath(row.session.id, sessionStatus(row).tab))
  const open = { id: 'open', label: words.open, icon: ArrowRight, onAction: onPress }
  const entries = appointmentActions(row, useNow()).map((id) => ({
    id,
    label: words.actions[id],
    icon: icons[id],
    ...(isWhole && singleKeys && keys[id] !== undefined ? { shortcut: keys[id] } : {}),
    isErasing: id === 'delete',
    startsGroup: id === 'cancel',
    onAction: () => act(id),
  }))
  const onContextMenu = (event: MouseEvent): void => {
    if (!isInside(event)) return
    if (entries.length > 0) event.preventDefault()
    setOpen(entries.length > 0)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const entry = entries.find(({ id }) => singleKeys && keys[id] === event.key.toUpperCase())
    if (!entry || event.ctrlKey || event.metaKey || event.altKey || !isInside(event)) return
    event.preventDefault()
    act(entry.id)
  }
  // An appointment can be dragged, so its menu opens with a click and not as soon as the pointer is down.
  const onPointerDownCapture = (event: PointerEvent): void => {
    if (isInside(event) && event.pointerType !== 'touch') event.stopPropagation()
  }
  const onClickCapture = (event: MouseEvent<HTMLElement>): void => {
    if (event.detail === 0 || !isInside(event)) return
    event.currentTarget.querySelector('button')?.focus()
    if (entries.length > 0) setOpen(true)
    else onPress()
  }
  const whole = { onKeyDown, onPointerDownCapture, onClickCapture }
  const menu = { trigger, isOpen, label: words.menuOf({ name }), entries, onOpenChange: setOpen }
  const wholeMenu = {
    ...menu,
    entries: [open, ...entries],
    header: <AppointmentFacts row={row} />,
    placement: 'bottom start' as const,
  }
  return (
    <>
      <div className={className} onContextMenu={onContextMenu} {...(isWhole ? whole : {})}>
        {children}
        {entries.length > 0 ? <Menu {...(isWhole ? wholeMenu : menu)} /> : isWhole && cloneElement(trigger, { onPress })}
      </div>
      {dialog}
    </>
  )
}

/** React also sends events of menus and dialogs that are rendered elsewhere in the document. */
const isInside = ({ currentTarget, target }: SyntheticEvent): boolean => currentTarget.contains(target as Node)

function AppointmentFacts({ row }: { readonly row: SessionRow }) {
  const name = useName()(row.client_name)
  const { starts_at, ends_at, session_type, modality, series_id } = row.session
  const { chip } = sessionStatus(row)
  const day = formatDayAndDate(starts_at)
  const kind = [sessionTypeWords[session_type], modalityWords[modality], ...(series_id === null ? [] : [words.inSeries])]
  return (
    <div className="appointment-facts">
      <strong>{name}</strong>
      <span>{[day, formatClocks(starts_at, ends_at)].join(', ')}</span>
      <span>{kind.join(' · ')}</span>
      {chip && (
        <Chip tone={chip.tone} {...(chip.icon === undefined ? {} : { icon: chip.icon })}>
          {chip.text}
        </Chip>
      )}
    </div>
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
  const done = useDone()
  const [open, setOpen] = useState<Open | null>(null)
  const mark = async (action: keyof typeof statuses): Promise<void> => {
    try {
      await call('sessions.update', { id, version, patch: { status: statuses[action] } })
      done([row], words.done[action]({ name, when: formatDayTime(starts_at) }))
    } catch (error) {
      if (error instanceof BridgeFailure && error.code === 'double-booking') return setOpen(error)
      toast({ text: failureText(error), kind: 'told' })
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
