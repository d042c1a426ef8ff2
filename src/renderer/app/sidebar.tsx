import { ShieldAlert, ShieldCheck, CalendarDays, ChartNoAxesColumn, RefreshCw, Settings, Sun, Users } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import { Button as AriaButton, Tooltip, TooltipTrigger } from 'react-aria-components'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { appStrings, savedSentence, unreadReport, updateStrings } from '#renderer/strings/app.ts'
import { countToDo } from '#renderer/strings/sync.ts'
import { untilClock } from '#renderer/strings/time.ts'
import { mainPageOf, type Route } from '#renderer/lib/routes.ts'
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
  const current = mainPageOf(route)
  return (
    <nav className="sidebar" aria-label={appStrings.pages.label} data-region data-open={isOpen || undefined}>
      <ul className="sidebar-pages">
        {useShownPages(route).map((page) => (
          <li key={page}>
            <a
              className="sidebar-page"
              href={`#/${page}`}
              title={appStrings.pages[page]}
              aria-current={page === current ? 'page' : undefined}
              onClick={onClose}
            >
              <PageIcon page={page} />
              <span className="sidebar-label">{appStrings.pages[page]}</span>
              {page === 'sync' && waiting > 0 && (
                <span className="sidebar-count">
                  <span aria-hidden>{waiting}</span>
                  <span className="visually-hidden">{appStrings.pages.syncCount({ count: waiting })}</span>
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

function PageIcon({ page }: { readonly page: MainPage }) {
  const Icon = icons[page]
  return <Icon aria-hidden />
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

const mainPages = ['today', 'clients', 'week', 'reports', 'sync', 'settings'] as const
export type MainPage = (typeof mainPages)[number]

export const icons: Readonly<Record<MainPage, LucideIcon>> = {
  today: Sun,
  clients: Users,
  week: CalendarDays,
  reports: ChartNoAxesColumn,
  sync: RefreshCw,
  settings: Settings,
}

/** The number that opens a page with Ctrl. Sync comes last, because it is not always there. */
export const keyOf = (page: MainPage): string =>
  String(['today', 'clients', 'week', 'reports', 'settings', 'sync'].indexOf(page) + 1)

/** Without a practice's service nothing is synced, so the page of the queue shows only while something in it needs attention. */
export function useShownPages(route: Route): readonly MainPage[] {
  const status = useCall('outbox.status', {}).data
  const hasSync = status !== undefined && (status.service === 'remote' || countToDo(status) > 0)
  return mainPages.filter((page) => page !== 'sync' || hasSync || mainPageOf(route) === 'sync')
}
