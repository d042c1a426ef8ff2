import {
  ShieldAlert,
  ShieldCheck,
  CalendarDays,
  ChartNoAxesColumn,
  Inbox,
  Settings,
  Sun,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { useEffect } from 'react'
import { Button as AriaButton, Tooltip, TooltipTrigger } from 'react-aria-components'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { appStrings, savedSentence, unreadReport, updateStrings } from '#renderer/strings/app.ts'
import { countToDo } from '#renderer/strings/outbox.ts'
import { untilClock } from '#renderer/strings/time.ts'
import type { Route } from '#renderer/lib/routes.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import './sidebar.css'

interface SidebarProps {
  readonly route: Route
  /** Matters only in windows narrower than 760 px, where the sidebar is a menu. */
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function Sidebar({ route, isOpen, onClose }: SidebarProps) {
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
        {pages.map((page) => (
          <li key={page.page}>
            <PageLink
              page={page}
              isCurrent={page.page === current}
              count={page.page === 'outbox' ? waiting : 0}
              news={page.page === 'settings' && (update === 'available' || update === 'ready') ? updateStrings.badge : null}
              onFollow={onClose}
            />
          </li>
        ))}
      </ul>
      <SavedState status={status} />
    </nav>
  )
}

interface PageLinkProps {
  readonly page: PageEntry
  readonly isCurrent: boolean
  readonly count: number
  readonly news: string | null
  readonly onFollow: () => void
}

function PageLink({ page, isCurrent, count, news, onFollow }: PageLinkProps) {
  return (
    <a
      className="sidebar-page"
      href={`#${page.path}`}
      title={page.label}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onFollow}
    >
      <page.icon aria-hidden />
      <span className="sidebar-label">{page.label}</span>
      {count > 0 && (
        <span className="sidebar-count">
          <span aria-hidden>{count}</span>
          <span className="visually-hidden">{appStrings.pages.outboxCount({ count })}</span>
        </span>
      )}
      {news !== null && (
        <span className="sidebar-news">
          <span className="visually-hidden">{news}</span>
        </span>
      )}
    </a>
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

interface PageEntry {
  readonly page: Route['page']
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
}

/** In the order of the sidebar and of the shortcuts Ctrl+1, Ctrl+2 and so on. */
export const pages: readonly PageEntry[] = [
  { page: 'today', path: '/today', label: appStrings.pages.today, icon: Sun },
  { page: 'clients', path: '/clients', label: appStrings.pages.clients, icon: Users },
  { page: 'week', path: '/week', label: appStrings.pages.week, icon: CalendarDays },
  { page: 'figures', path: '/figures', label: appStrings.pages.figures, icon: ChartNoAxesColumn },
  { page: 'outbox', path: '/outbox', label: appStrings.pages.outbox, icon: Inbox },
  { page: 'settings', path: '/settings', label: appStrings.pages.settings, icon: Settings },
]
