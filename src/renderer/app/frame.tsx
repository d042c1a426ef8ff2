import { useState, useEffect } from 'react'
import { CalendarPlus, Eye, EyeOff, Keyboard, Lock, Menu, Search, Settings, UserPlus } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { appStrings, searchStrings } from '#renderer/strings/app.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { FindDialog } from '#renderer/features/search/find-dialog.tsx'
import type { Entry } from '#renderer/features/search/find-groups.tsx'
import { RecoveryDialogs } from '#renderer/features/recovery/recovery-dialogs.tsx'
import { useBridgeEvent, useCall } from '#renderer/bridge/use-bridge.ts'
import { Loading, Mark } from '#renderer/ui/page.tsx'
import { navigate, rememberPage, settingsPath, useRoute } from '#renderer/lib/routes.ts'
import { NewSessionDialog } from '#renderer/sessions/lazy-dialogs.ts'
import { ShortcutsDialog } from '#renderer/lib/shortcuts-dialog.tsx'
import { searchableSettings } from '#renderer/features/settings/searchable-settings.ts'
import { bridge } from '#renderer/bridge/bridge.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { isMac, keysFor, useAppState, useSettings, lockByHand, lock } from '#renderer/lib/app-state.ts'
import { useToggleNames } from '#renderer/lib/names.ts'
import { RecordingSign } from '#renderer/lib/recording-sign.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { focusNextRegion, useShortcuts } from './keyboard.ts'
import { CurrentPage } from './pages.tsx'
import { icons, keyOf, type MainPage, Sidebar, useShownPages } from './sidebar.tsx'
import { useTheme } from './theme.ts'
import './frame.css'
import './title-bar.css'

export function Frame() {
  const route = useRoute()
  const settings = useSettings()
  // Show no page before `hide_names` is known. If the setting can't be read, names stay hidden.
  const { isPending } = useCall('settings.get', {})
  const [open, setOpen] = useState<Opened | null>(null)
  const pages = useShownPages(route)
  useTheme(settings?.theme)
  useIdleLock(settings?.idle_lock_minutes ?? 0, settings !== undefined)

  useShortcuts([
    { key: 'k', command: true, onKey: () => setOpen('find') },
    { key: 'l', command: true, shift: false, onKey: lockByHand },
    { key: 'f6', shift: false, onKey: () => focusNextRegion(1) },
    { key: 'f6', shift: true, onKey: () => focusNextRegion(-1) },
    ...(settings?.single_key_shortcuts === false ? [] : [{ key: '?', onKey: () => setOpen('shortcuts') }]),
    ...pages.map((page) => ({ key: keyOf(page), command: true, onKey: () => navigate(`/${page}`) })),
  ])
  useBridgeEvent('app.command', ({ command }) => {
    if (command === 'client') navigate('/clients?new')
    else if (command === 'find' || command === 'appointment' || command === 'shortcuts') setOpen(command)
    else navigate(`/${command}`)
  })
  useEffect(() => rememberPage(route), [route])

  const isMenuOpen = open === 'menu'
  const close = (): void => setOpen(null)
  return (
    <div className="frame" data-session={route.page === 'session' || undefined}>
      <TitleBar onFind={() => setOpen('find')} isMenuOpen={isMenuOpen} onMenu={() => setOpen(isMenuOpen ? null : 'menu')} />
      <Sidebar route={route} isOpen={isMenuOpen} onClose={close} />
      <div className="frame-sheet">
        <ConnectionBanner />
        <div className="frame-page">
          <ErrorBoundary resetKey={JSON.stringify(route)}>
            {isPending ? <Loading /> : <CurrentPage route={route} />}
          </ErrorBoundary>
        </div>
      </div>
      <Found isOpen={open === 'find'} onOpen={setOpen} pages={pages} />
      {open === 'appointment' && <NewSessionDialog onClose={close} />}
      {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      <RecoveryDialogs />
      <span className="visually-hidden" role="status">
        {settings?.hide_names ? titleBar.hideNames : ''}
      </span>
    </div>
  )
}

type Opened = 'find' | 'shortcuts' | 'menu' | 'appointment'

const { titleBar, pages: pageWords } = appStrings
const settingEntries = searchableSettings.map(({ section, label, also }): Entry => {
  const path = settingsPath(section, label)
  return { id: path, icon: Settings, text: label, detail: settingsStrings.sections[section], also, open: path }
})

interface FoundProps {
  readonly isOpen: boolean
  readonly onOpen: (next: Opened | null) => void
  readonly pages: readonly MainPage[]
}

function Found({ isOpen, onOpen, pages }: FoundProps) {
  const isHidden = useSettings()?.hide_names ?? false
  const names = isHidden ? titleBar.showNames : titleBar.hideNames
  const commands: Entry[] = [
    { id: 'appointment', icon: CalendarPlus, text: searchStrings.newAppointment, open: () => onOpen('appointment') },
    { id: 'client', icon: UserPlus, text: searchStrings.newClient, open: '/clients?new' },
    ...pages.map((page) => {
      const text = searchStrings.goTo({ page: pageWords[page] })
      return { id: page, icon: icons[page], text, keys: `Ctrl+${keyOf(page)}`, open: `/${page}` }
    }),
    { id: 'names', icon: isHidden ? Eye : EyeOff, text: names, keys: 'Ctrl+Shift+H', open: useToggleNames() },
    { id: 'lock', icon: Lock, text: titleBar.lock, keys: 'Ctrl+L', open: lockByHand },
    { id: 'keys', icon: Keyboard, text: searchStrings.shortcuts, keys: '?', open: () => onOpen('shortcuts') },
  ]
  return <FindDialog isOpen={isOpen} onClose={() => onOpen(null)} commands={commands} settings={settingEntries} />
}

const signsOfUse = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const

/** Compares clock times, because timers don't run while the computer sleeps. */
function useIdleLock(minutes: number, isOn: boolean): void {
  useEffect(() => {
    if (!isOn || minutes <= 0) return undefined
    let lastUse = Date.now()
    const used = (): void => {
      lastUse = Date.now()
    }
    const check = (): void => {
      if (Date.now() - lastUse < minutes * 60_000) return
      lastUse = Date.now()
      lock(minutes)
    }
    for (const sign of signsOfUse) window.addEventListener(sign, used, { passive: true, capture: true })
    const timer = setInterval(check, 5000)
    return () => {
      clearInterval(timer)
      for (const sign of signsOfUse) window.removeEventListener(sign, used, { capture: true })
    }
  }, [minutes, isOn])
}

const PATIENCE_MS = 700

function ConnectionBanner() {
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = bridge.onConnection((connected) => {
      clearTimeout(timer)
      if (connected) setLost(false)
      else timer = setTimeout(() => setLost(true), PATIENCE_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [])
  return (
    <div role="status">
      {isLost && (
        <p className="connection-banner">
          <strong>{appStrings.connection.lost}</strong> {appStrings.connection.lostText}
        </p>
      )}
    </div>
  )
}

function TitleBar({ isMenuOpen, onMenu, onFind }: Readonly<{ isMenuOpen: boolean; onMenu: () => void; onFind: () => void }>) {
  const isHidden = useSettings()?.hide_names ?? false
  const shell = useAppState()?.shell
  const toggleNames = useToggleNames()
  return (
    <header className="title-bar" data-region data-traffic-lights={(shell === 'electron' && isMac()) || undefined}>
      <div className="title-bar-brand">
        <IconButton className="title-bar-menu" label={pageWords.menu} icon={Menu} isPressed={isMenuOpen} onPress={onMenu} />
        <Mark />
        <span className="title-bar-name">{appStrings.name}</span>
      </div>
      <RecordingSign />
      <AriaButton className="title-bar-find" aria-keyshortcuts="Control+K" onPress={onFind}>
        <Search aria-hidden />
        <span className="title-bar-find-words">{titleBar.find}</span>
        <kbd>{keysFor('Ctrl K')}</kbd>
      </AriaButton>
      <div className="title-bar-end">
        <IconButton
          className="title-bar-find-short"
          label={titleBar.findShort}
          shortcut={keysFor('Ctrl+K')}
          icon={Search}
          onPress={onFind}
        />
        <IconButton
          label={isHidden ? titleBar.showNames : titleBar.hideNames}
          shortcut={keysFor('Ctrl+Shift+H')}
          icon={isHidden ? Eye : EyeOff}
          isPressed={isHidden}
          onPress={toggleNames}
        />
        <IconButton label={titleBar.lock} shortcut={keysFor('Ctrl+L')} icon={Lock} onPress={lockByHand} />
      </div>
    </header>
  )
}
