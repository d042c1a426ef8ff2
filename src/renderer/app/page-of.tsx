import { ClientsPage } from '#renderer/features/clients/clients-page.tsx'
import { ConflictList, DecidedList } from '#renderer/features/conflicts/conflict-list.tsx'
import { ConflictPage } from '#renderer/features/conflicts/conflict-page.tsx'
import { FiguresPage } from '#renderer/features/figures/figures-page.tsx'
import { OutboxPage } from '#renderer/features/outbox/outbox-page.tsx'
import { SessionPage } from '#renderer/features/session/session-page.tsx'
import { SettingsPage } from '#renderer/features/settings/settings-page.tsx'
import { TodayPage } from '#renderer/features/today/today-page.tsx'
import { WeekPage } from '#renderer/features/week/week-page.tsx'
import type { Route } from '#renderer/lib/navigation.ts'

export function PageOf({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'today':
      return <TodayPage />
    case 'clients':
      return <ClientsPage clientId={route.client_id} isAdding={route.isAdding} />
    case 'session':
      return <SessionPage key={route.id} id={route.id} tab={route.tab} />
    case 'week':
      return <WeekPage />
    case 'figures':
      return <FiguresPage />
    case 'outbox':
      return <OutboxPage toDecide={<ConflictList />} decided={<DecidedList />} />
    case 'conflict':
      return <ConflictPage key={route.id} id={route.id} />
    case 'settings':
      return <SettingsPage />
  }
}
