import {
  AudioLines,
  CalendarClock,
  ChevronDown,
  ChevronRight,
  FilePen,
  FileX,
  ListChecks,
  type LucideIcon,
  PencilLine,
  Plus,
  Undo2,
} from 'lucide-react'
import { useState } from 'react'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import { isSample } from '#contract/bridge/sample.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { useName } from '#renderer/lib/names.ts'
import { MissingRecords } from '#renderer/lib/recovery-report.tsx'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { SpeechSetup } from '#renderer/lib/speech-setup.tsx'
import { midnight, useNow } from '#renderer/lib/use-now.ts'
import { STATUS_EVERY_MS, useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { todayStrings, minutesWords, modalityWords, sessionTypeWords } from '#renderer/strings/today.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Answer, Empty, Page, Notice, Section } from '#renderer/ui/page.tsx'
import { capitalized } from '#renderer/strings/lists.ts'
import { daysFromNow, formatClock, formatDayAndDate, formatDayTime, formatDay } from '#renderer/strings/time.ts'
import { useLostNotes } from '#renderer/sessions/lost-parts.ts'
import { NewSessionDialog } from '#renderer/sessions/lazy-dialogs.ts'
import { AppointmentRow, TookPlace } from '#renderer/sessions/appointment-menu.tsx'
import { isOff, isUnconfirmed, nextSession, sessionStatus, whatIsLeft } from '#renderer/sessions/session-status.ts'
import { damageSentence } from '#renderer/sessions/damage.ts'
import { Button as AriaButton } from 'react-aria-components'
import { Chip } from '#renderer/ui/chip.tsx'
import { LookAround } from '#renderer/sessions/sample.tsx'
import { NextCard } from './next-card.tsx'
import './today.css'
import './today-left.css'

export function TodayPage() {
  const now = useNow()
  const [isAdding, setAdding] = useState(false)
  const today = midnight(now)
  const tomorrow = midnight(now, 1)
  const range = { from: today.toISOString(), to: midnight(now, 2).toISOString() }
  const list = useCall('sessions.list', range, { everyMs: STATUS_EVERY_MS })
  const [isWhole, setWhole] = useState(false)
  const limit = isWhole ? MAX_UNFINISHED : MAX_LINES
  const unfinished = useCall('sessions.unfinished', { limit }, { everyMs: STATUS_EVERY_MS, keepPrevious: true })
  const rows = list.data?.filter((row) => new Date(row.session.starts_at) < tomorrow) ?? []
  const following = list.data?.filter((row) => new Date(row.session.starts_at) >= tomorrow && !isOff(row)) ?? []
  const next = nextSession(rows, now)
  return (
    <Page
      className="today"
      title={capitalized(formatDayAndDate(now))}
      lead={list.data && <Lead rows={rows} next={next} now={now} toSign={unfinished.data?.count ?? 0} />}
      actions={<Button variant="quiet" icon={Plus} onPress={() => setAdding(true)} label={todayStrings.addSession} />}
      asideLabel={todayStrings.aside}
      aside={
        <TodayAside unfinished={unfinished.data} tomorrow={following} now={now} onAll={isWhole ? null : () => setWhole(true)} />
      }
    >
      <MissingRecords />
      <SpeechSetup />
      <DamagedRecordings now={now} />
      <Answer of={list}>
        {() =>
          rows.length > 0 ? (
            <TodayList rows={rows} next={next} now={now} />
          ) : (
            <NothingToday now={now} onAdd={() => setAdding(true)} />
          )
        }
      </Answer>
      {isAdding && <NewSessionDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}

type TodayListProps = Readonly<{ rows: readonly SessionRow[]; next: SessionRow | null; now: Date }>

function Lead({ rows, next, now, toSign }: TodayListProps & { readonly toSign: number }) {
  const name = useName()(next?.client_name ?? '')
  const { lead } = todayStrings
  const daySentence = (): string => {
    if (next === null) return rows.length === 0 ? lead.free : lead.over
    const { started_at, starts_at, status } = next.session
    const startsAt = new Date(starts_at)
    if (started_at !== null && status === 'in_progress') return lead.now({ name, time: formatClock(started_at) })
    if (startsAt < now) return lead.due({ name, time: formatClock(startsAt) })
    return lead.next({ name, when: todayStrings.in(Math.round((startsAt.getTime() - now.getTime()) / 60_000)) })
  }
  return toSign > 0 ? `${daySentence()} ${lead.toSign({ count: toSign })}` : daySentence()
}

function NothingToday({ now, onAdd }: { readonly now: Date; readonly onAdd: () => void }) {
  const clients = useCall('clients.list', {})
  const coming = useCall('sessions.list', { from: midnight(now, 1).toISOString(), to: midnight(now, 60).toISOString() })
  const following = coming.data?.find((row) => !isOff(row))
  const { none, first } = todayStrings
  if (clients.data?.every(({ client }) => isSample(client.id))) {
    return (
      <Empty title={first.title}>
        <p>{first.text}</p>
        <p className="today-empty-action">
          <Button variant="filled" onPress={() => navigate('/clients?new')} label={first.add} />
          <LookAround />
        </p>
      </Empty>
    )
  }
  return (
    <Empty title={none.title}>
      {following && `${none.next({ day: formatDayTime(following.session.starts_at, now) })} `}
      <LinkButton onPress={onAdd} label={none.add} />
    </Empty>
  )
}

const words = todayStrings.damaged
const MAX_LINES = 5
const MAX_UNFINISHED = 100

function DamagedRecordings({ now }: { readonly now: Date }) {
  const nameOf = useName()
  const dismiss = useAction('recordings.dismissDamage')
  const damaged = useCall('recordings.damaged', {}).data ?? []
  const shown = damaged.slice(0, MAX_LINES)
  if (shown.length === 0) return null
  return (
    <Notice
      tone="needs"
      icon={FileX}
      title={words.title(damaged.length, damaged.filter((one) => one.unreadable_ms >= one.saved_ms).length)}
      actions={
        <Button onPress={() => shown.forEach(({ recording_id }) => dismiss.mutate({ recording_id }))} label={words.dismiss} />
      }
    >
      <p>{words.help}</p>
      <ul className="today-damaged">
        {shown.map(({ recording_id, session_id, client_name, session_starts_at, saved_ms, unreadable_ms }) => (
          <li key={recording_id}>
            <a href={`#${sessionPath(session_id, 'consent')}`}>
              {words.line({
                who: client_name === '' ? words.unknownClient : nameOf(client_name),
                day: formatDay(session_starts_at, now),
                what: damageSentence(unreadable_ms, saved_ms),
              })}
            </a>
          </li>
        ))}
      </ul>
      {damaged.length > MAX_LINES && <p>{words.more({ count: damaged.length - MAX_LINES })}</p>}
    </Notice>
  )
}

interface TodayAsideProps {
  readonly unfinished: MethodOutput<'sessions.unfinished'> | undefined
  readonly tomorrow: readonly SessionRow[]
  readonly now: Date
  /** Null if all are shown. */
  readonly onAll: (() => void) | null
}

function TodayAside({ unfinished, tomorrow, now, onAll }: TodayAsideProps) {
  const nameOf = useName()
  const count = unfinished?.count ?? 0
  const more = count - (unfinished?.rows.length ?? 0)
  return (
    <>
      <Section title={todayStrings.beforeHome}>
        {unfinished?.count === 0 && <p className="today-nothing">{todayStrings.nothingLeft}</p>}
        <ul className="today-left">
          {unfinished?.rows.map((row) => (
            <LeftRow key={row.session.id} row={row} now={now} />
          ))}
        </ul>
        {more > 0 && onAll !== null && <LinkButton onPress={onAll} label={todayStrings.left.all({ count })} />}
        {more > 0 && onAll === null && <p className="today-nothing">{todayStrings.left.more({ count: more })}</p>}
      </Section>
      <Section className="today-tomorrow" title={todayStrings.tomorrow}>
        {tomorrow.length === 0 && <p className="today-nothing">{todayStrings.nothingTomorrow}</p>}
        <ul>
          {tomorrow.map((row) => (
            <li key={row.session.id}>
              <AppointmentRow row={row} className="today-tomorrow-row">
                <time dateTime={row.session.starts_at}>{formatClock(row.session.starts_at)}</time>
                <a href={`#${sessionPath(row.session.id)}`}>
                  {nameOf(row.client_name)}
                  {row.number === 1 && `, ${todayStrings.firstVisit}`}
                </a>
              </AppointmentRow>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

function leftIcon(row: SessionRow): LucideIcon {
  if (row.note?.status === 'returned') return Undo2
  if (row.note) return row.note.to_check > 0 ? ListChecks : PencilLine
  if (isUnconfirmed(row)) return CalendarClock
  return row.recording !== null && !row.transcript.present ? AudioLines : FilePen
}

function LeftRow({ row, now }: { readonly row: SessionRow; readonly now: Date }) {
  const nameOf = useName()
  const lostNotes = useLostNotes()
  const { starts_at } = row.session
  const Icon = leftIcon(row)
  return (
    <li>
      <a className="today-left-row" href={`#${sessionPath(row.session.id, sessionStatus(row, lostNotes).tab)}`}>
        <Icon aria-hidden />
        <span>
          <span className="today-left-name">
            {nameOf(row.client_name)}, <span className="today-left-day">{formatDay(starts_at, now)}</span>
          </span>
          <span className="today-left-text">{whatIsLeft(row, lostNotes)}</span>
        </span>
        <ChevronRight aria-hidden />
      </a>
      {isUnconfirmed(row) && daysFromNow(starts_at, now) !== 0 && <TookPlace row={row} />}
    </li>
  )
}

function TodayList({ rows, next, now }: TodayListProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  const before = next === null ? [] : rows.slice(0, rows.indexOf(next))
  const drafts = before.filter((row) => row.note?.status === 'draft' || row.note?.status === 'in_review').length
  return (
    <>
      {before.length > 0 && (
        <AriaButton className="today-earlier" aria-expanded={isUnfolded} onPress={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          {todayStrings.earlier({ sessions: before.length, drafts })}
        </AriaButton>
      )}
      <ul className="today-list" aria-label={todayStrings.sessions} data-unfolded={isUnfolded || undefined}>
        {rows.map((row) => (
          <li
            key={row.session.id}
            className={row === next ? 'today-item today-item-next' : 'today-item'}
            data-passed={before.includes(row) || undefined}
          >
            {row === next ? <NextCard row={row} now={now} /> : <TodayRow row={row} />}
          </li>
        ))}
      </ul>
    </>
  )
}

function TodayRow({ row }: { readonly row: SessionRow }) {
  const name = useName()(row.client_name)
  const status = sessionStatus(row, useLostNotes())
  const { session_type, duration_minutes, modality } = row.session
  const path = sessionPath(row.session.id, status.tab)
  const kind = [sessionTypeWords[session_type], minutesWords({ minutes: duration_minutes })]
  if (modality !== 'in_person') kind.push(modalityWords[modality])
  return (
    <AppointmentRow row={row} className="today-row">
      <time className="today-time" dateTime={row.session.starts_at}>
        {formatClock(row.session.starts_at)}
      </time>
      <div className="today-who">
        <a className="today-name" href={`#${path}`}>
          {name}
        </a>
        <p className="today-kind">{kind.join(' · ')}</p>
        {isUnconfirmed(row) && <TookPlace row={row} />}
      </div>
      <div className="today-state">
        {status.chip && <Chip {...status.chip}>{status.chip.text}</Chip>}
        {status.action !== null && (
          <Button size="row" onPress={() => navigate(path)} aria-label={`${status.action}, ${name}`} label={status.action} />
        )}
      </div>
    </AppointmentRow>
  )
}
