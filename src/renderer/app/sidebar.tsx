import { ShieldAlert, ShieldCheck, CalendarDays, ChartNoAxesColumn, Inbox, Settings, Sun, Users } from 'lucide-react'
import { useEffect } from 'react'
import { Button as AriaButton, Tooltip, TooltipTrigger } from 'react-aria-components'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { appStrings, savedSentence, unreadReport, updateStrings } from '#renderer/strings/app.ts'
import { countToDo } from '#renderer/strings/outbox.ts'
import { untilClock } from '#renderer/strings/time.ts'
import type { Route } from '#renderer/lib/routes.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import './sidebar.css'

export function Sidebar({ route, isOpen, onClose }: Readonly<{ route: Route; isOpen: boolean; onClose: () => void }>) {
  const status = useCall('outbox.status', {}).data
  const update = useCall('updates.state', {}).data?.phase
  const waiting = status === undefined ? 0 : status.waiting + countToDo(status)
  useEffect(() => {
    if (!isOpen) return undefined
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOpen, onClose])
  const current = route.page === 'session' ? 'today' : route.page === 'conflict' ? 'outbox' : route.page
  return (
    <nav className="sidebar" aria-label={appStrings.pages.label} data-region data-open={isOpen || undefined}>
      <ul className="sidebar-pages">
        {pages.map(({ page, icon: Icon }) => (
          <li key={page}>
            <a
              className="sidebar-page"
              href={`#/${page}`}
              title={appStrings.pages[page]}
              aria-current={page === current ? 'page' : undefined}
              onClick={onClose}
            >
              <Icon aria-hidden />
              <span className="sidebar-label">{appStrings.pages[page]}</span>
              {page === 'outbox' && waiting > 0 && (
                <span className="sidebar-count">
                  <span aria-hidden>{waiting}</span>
                  <span className="visually-hidden">{appStrings.pages.outboxCount({ count: waiting })}</span>
                </span>
              )}
              {page === 'settings' && (update === 'available' || update === 'ready') && (
                <span className="sidebar-news">
                  <span className="visually-hidden">{updateStrings.badge}</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <SavedState status={status} />
    </nav>
  )
}

function SavedState({ status }: { readonly status: Parameters<typeof savedSentence>[0] }) {
  const now = useNow(60_000)
  const reports = useCall('recovery.reports', {}).data ?? []
  const isLosing = reports.some(({ items }) => items.some(({ kind, is_recovered }) => !is_recovered && kind !== 'other'))
  const saved = savedSentence(status, untilClock(status?.resumes_at ?? null, now))
  const { strong, rest } = reports.length > 0 ? unreadReport(isLosing) : saved
  const isToDo = status !== undefined && (countToDo(status) > 0 || status.phase === 'needs_key')
  const needsSomebody = reports.length > 0 || isToDo
  const Shield = needsSomebody ? ShieldAlert : ShieldCheck
  return (
    <div className="saved-state" data-needs={needsSomebody || undefined}>
      <p className="saved-state-wide">
        <Shield aria-hidden />
        <span>
          <strong>{strong}</strong> {rest}
        </span>
      </p>
      <TooltipTrigger delay={100} closeDelay={0}>
        <AriaButton className="saved-state-shield" aria-label={`${strong} ${rest}`}>
          <Shield aria-hidden />
        </AriaButton>
        <Tooltip className="ui-tooltip" placement="end">
          {strong} {rest}
        </Tooltip>
      </TooltipTrigger>
    </div>
  )
}

export const pages = [
  { page: 'today', icon: Sun },
  { page: 'clients', icon: Users },
  { page: 'calendar', icon: CalendarDays },
  { page: 'figures', icon: ChartNoAxesColumn },
  { page: 'outbox', icon: Inbox },
  { page: 'settings', icon: Settings },
] as const
