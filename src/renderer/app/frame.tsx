import { useState } from 'react'
import { appStrings } from '#renderer/strings/app.ts'
import { FindDialog } from '#renderer/features/search/find-dialog.tsx'
import { RecoveryDialogs } from '#renderer/features/recovery/recovery-dialogs.tsx'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { Loading } from '#renderer/ui/page.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { useIdleLock } from './idle-lock.ts'
import { focusNextRegion, useShortcuts } from './keyboard.ts'
import { lockByHand } from '#renderer/lib/lock-reason.ts'
import { navigate, useRoute } from '#renderer/lib/navigation.ts'
import { PageOf } from './page-of.tsx'
import { pages } from './pages.ts'
import { ShortcutsDialog } from '#renderer/lib/shortcuts-dialog.tsx'
import { Sidebar } from './sidebar.tsx'
import { useTheme } from './theme.ts'
import { TitleBar } from './title-bar.tsx'
import { useSettings } from '#renderer/lib/use-settings.ts'
import './frame.css'

/** The window while the records are open: title bar, pages, and one inset sheet. */
export function Frame() {
  const route = useRoute()
  const settings = useSettings()
  // No page before it is known whether names are hidden; where that cannot be read they stay hidden.
  const { isPending } = useCall('settings.get', {})
  const [open, setOpen] = useState<'find' | 'shortcuts' | 'menu' | null>(null)
  useTheme(settings?.theme)
  useIdleLock(settings?.idle_lock_minutes ?? 0, settings !== undefined)

  useShortcuts([
    { key: 'k', command: true, onKey: () => setOpen('find') },
    { key: 'l', command: true, shift: false, onKey: lockByHand },
    { key: 'f6', shift: false, onKey: () => focusNextRegion(1) },
    { key: 'f6', shift: true, onKey: () => focusNextRegion(-1) },
    ...(settings?.single_key_shortcuts === false ? [] : [{ key: '?', onKey: () => setOpen('shortcuts') }]),
    ...pages.map((page, index) => ({ key: String(index + 1), command: true, onKey: () => navigate(page.path) })),
  ])

  const close = (): void => setOpen(null)
  return (
    <div className="frame" data-session={route.page === 'session' || undefined}>
      <TitleBar
        onFind={() => setOpen('find')}
        isMenuOpen={open === 'menu'}
        onMenu={() => setOpen(open === 'menu' ? null : 'menu')}
      />
      <Sidebar route={route} isOpen={open === 'menu'} onClose={close} />
      <div className="frame-sheet">
        <ConnectionBanner />
        <div className="frame-page">
          <ErrorBoundary resetKey={JSON.stringify(route)}>{isPending ? <Loading /> : <PageOf route={route} />}</ErrorBoundary>
        </div>
      </div>
      <FindDialog isOpen={open === 'find'} onClose={close} />
      <ShortcutsDialog isOpen={open === 'shortcuts'} onClose={close} />
      <RecoveryDialogs />
      <span className="visually-hidden" role="status">
        {settings?.hide_names ? appStrings.titleBar.hideNames : ''}
      </span>
    </div>
  )
}
