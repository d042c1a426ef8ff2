import { ArrowRight, Ban, CalendarCheck, Check, FileText, LoaderCircle, PencilLine } from 'lucide-react'
import { Phone, Repeat, TriangleAlert, UserX, Video, type LucideIcon } from 'lucide-react'
import type { CSSProperties } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { useName } from '#renderer/lib/names.ts'
import { AppointmentMenu } from '#renderer/sessions/appointment-menu.tsx'
import { isDocumented, isOff, sessionStatus } from '#renderer/sessions/session-status.ts'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import { formatClock, formatClocks } from '#renderer/strings/time.ts'
import { sessionTypeWords, todayStrings } from '#renderer/strings/today.ts'
import type { PlacedRow } from './calendar-days.ts'
import './appointment-block.css'

interface BlockProps {
  readonly placed: PlacedRow
  readonly isNext: boolean
  readonly now: Date
  /** One line of a month, with the start alone. */
  readonly isLine?: boolean
  readonly isCurrent?: boolean
  readonly isMoving?: boolean
  readonly style?: CSSProperties
}

export function AppointmentBlock({ placed, isNext, now, isLine = false, isCurrent, isMoving = false, style }: BlockProps) {
  const { row, from, to } = placed
  const { id, starts_at, ends_at, session_type } = row.session
  const name = useName()(row.client_name)
  const type = session_type === 'individual' || isLine ? [] : [sessionTypeWords[session_type].toLowerCase()]
  const time = [isLine ? formatClock(starts_at) : formatClocks(starts_at, ends_at), ...type].join(' · ')
  const { tone, icon: Icon, text } = statusOf(placed, isNext, now)
  const signs = signsOf(placed)
  const trigger = (
    <AriaButton
      excludeFromTabOrder={isCurrent === false}
      data-current={isCurrent || undefined}
      aria-label={[name, time, text, ...signs.map((sign) => sign.text)].join(', ')}
      aria-keyshortcuts={isLine ? 'R E' : 'R E Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight'}
    >
      <strong>{name}</strong> <span>{time}</span>{' '}
      <span className="calendar-status">
        <Icon aria-hidden />
        {!isLine && text}
      </span>
      <span className="calendar-signs">
        {!isLine && signs.map(({ icon: Sign, text: sign }) => <Sign key={sign} aria-hidden />)}
      </span>
    </AriaButton>
  )
  const look = { 'data-tone': tone, 'data-off': isOff(row) || undefined, 'data-short': to - from < 0.6 || undefined }
  return (
    <li
      className={isLine ? 'calendar-line' : 'calendar-booking'}
      data-session={id}
      {...look}
      data-moving={isMoving || undefined}
      style={style}
    >
      <AppointmentMenu row={row} isWhole className="calendar-booking-menu" trigger={trigger} />
      {!isLine && <i className="calendar-resize" data-resize aria-hidden />}
    </li>
  )
}

const { status: words, sign: signWords } = calendarStrings
const icons = { neutral: LoaderCircle, kept: Check, needs: PencilLine, draft: FileText, stopped: Ban } as const

/** The status as an icon and a word, because a color alone says nothing to some people. */
function statusOf({ row, isClashing }: PlacedRow, isNext: boolean, now: Date) {
  const { starts_at, status } = row.session
  const { chip } = sessionStatus(row)
  if (isClashing) return { tone: 'needs', icon: TriangleAlert, text: words.clashing }
  if (chip !== null && isOff(row)) return { tone: chip.tone, icon: status === 'no_show' ? UserX : Ban, text: chip.text }
  if (chip !== null && (row.owes_note || isDocumented(row))) return { ...chip, icon: chip.icon ?? icons[chip.tone] }
  const minutes = Math.ceil((Date.parse(starts_at) - now.getTime()) / 60_000)
  const next = minutes > 0 ? words.next({ when: todayStrings.in(minutes) }) : words.now
  if (isNext) return { tone: 'next', icon: ArrowRight, text: next }
  const text = status === 'proposed' ? words.proposed : status === 'completed' ? words.held : words.scheduled
  return { tone: 'planned', icon: CalendarCheck, text }
}

function signsOf({ row: { session } }: PlacedRow): { readonly icon: LucideIcon; readonly text: string }[] {
  const place = {
    video: [{ icon: Video, text: signWords.video }],
    phone: [{ icon: Phone, text: signWords.phone }],
    in_person: [],
  }
  return [...place[session.modality], ...(session.series_id === null ? [] : [{ icon: Repeat, text: signWords.series }])]
}
