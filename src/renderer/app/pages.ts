import { CalendarDays, ChartNoAxesColumn, Inbox, Settings, Sun, Users, type LucideIcon } from 'lucide-react'
import { appStrings } from '#renderer/strings/app.ts'
import type { Route } from '#renderer/lib/navigation.ts'

export interface PageEntry {
  readonly page: Route['page']
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
}

/** In the order of the sidebar and of Ctrl+1 and on. A session belongs to Today. */
export const pages: readonly PageEntry[] = [
  { page: 'today', path: '/today', label: appStrings.pages.today, icon: Sun },
  { page: 'clients', path: '/clients', label: appStrings.pages.clients, icon: Users },
  { page: 'week', path: '/week', label: appStrings.pages.week, icon: CalendarDays },
  { page: 'figures', path: '/figures', label: appStrings.pages.figures, icon: ChartNoAxesColumn },
  { page: 'outbox', path: '/outbox', label: appStrings.pages.outbox, icon: Inbox },
  { page: 'settings', path: '/settings', label: appStrings.pages.settings, icon: Settings },
]
