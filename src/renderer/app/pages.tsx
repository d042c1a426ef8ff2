import { lazy, Suspense, useEffect } from 'react'
import { TodayPage } from '#renderer/features/today/today-page.tsx'
import type { Route } from '#renderer/lib/routes.ts'
import { Loading } from '#renderer/ui/page.tsx'

/** Today is in the first script of the window. The others are loaded after it is shown. */
const load = {
  calendar: () => import('#renderer/features/calendar/calendar-page.tsx'),
  session: () => import('#renderer/features/session/session-page.tsx'),
  clients: () => import('#renderer/features/clients/clients-page.tsx'),
  settings: () => import('#renderer/features/settings/settings-page.tsx'),
  reports: () => import('#renderer/features/reports/reports-page.tsx'),
  sync: () => import('#renderer/features/sync/sync-page.tsx'),
  conflict: () => import('#renderer/features/conflicts/conflict-page.tsx'),
}

const CalendarPage = lazy(async () => ({ default: (await load.calendar()).CalendarPage }))
const SessionPage = lazy(async () => ({ default: (await load.session()).SessionPage }))
const ClientsPage = lazy(async () => ({ default: (await load.clients()).ClientsPage }))
const SettingsPage = lazy(async () => ({ default: (await load.settings()).SettingsPage }))
const ReportsPage = lazy(async () => ({ default: (await load.reports()).ReportsPage }))
const SyncPage = lazy(async () => ({ default: (await load.sync()).SyncPage }))
const ConflictPage = lazy(async () => ({ default: (await load.conflict()).ConflictPage }))
const ConflictList = lazy(async () => ({ default: (await load.conflict()).ConflictList }))

export function CurrentPage({ route }: { readonly route: Route }) {
  useEffect(() => {
    const idle = requestIdleCallback(loadAll)
    return () => cancelIdleCallback(idle)
  }, [])
  return (
    <Suspense fallback={<Loading />}>
      <PageOf route={route} />
    </Suspense>
  )
}

/** A page must open later too, when the preview's server is gone. A failed import is tried again when its page is opened. */
function loadAll(): void {
  for (const page of Object.values(load)) page().catch(() => undefined)
}

function PageOf({ route }: { readonly route: Route }) {
  if (route.page === 'clients') return <ClientsPage clientId={route.client_id} tab={route.tab} isAdding={route.isAdding} />
  if (route.page === 'session') return <SessionPage key={route.id} id={route.id} tab={route.tab} />
  if (route.page === 'conflict') return <ConflictPage key={route.id} id={route.id} />
  if (route.page === 'calendar') return <CalendarPage />
  if (route.page === 'reports') return <ReportsPage />
  if (route.page === 'sync') return <SyncPage toDecide={<ConflictList />} decided={<ConflictList isDecided />} />
  return route.page === 'settings' ? <SettingsPage section={route.section} /> : <TodayPage />
}
