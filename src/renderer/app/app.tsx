import { QueryClientProvider } from '@tanstack/react-query'
import { I18nProvider } from 'react-aria-components'
import { useState, useEffect } from 'react'
import { PowerOff, ShieldAlert } from 'lucide-react'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { Gate } from '#renderer/features/gate/gate.tsx'
import { ToastProvider } from '#renderer/ui/toast.tsx'
import { useAppState, useSettings } from '#renderer/lib/app-state.ts'
import { useToggleNames } from '#renderer/lib/names.ts'
import { useBridgeEvent } from '#renderer/bridge/use-bridge.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { Loading } from '#renderer/ui/page.tsx'
import { useLostServer } from '#renderer/bridge/bridge.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { followLocale, locale } from '#renderer/strings/locale.ts'
import { formatClock } from '#renderer/strings/time.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Frame } from './frame.tsx'
import { useShortcuts } from './keyboard.ts'
import './app.css'

export function App() {
  useKeptFocus()
  return (
    <QueryClientProvider client={queryClient}>
      <Window />
    </QueryClientProvider>
  )
}

/** Renders everything again when the locale changes. A remount would end a recording. */
function Window() {
  followLocale({ system: useAppState()?.system_locale, chosen: useSettings()?.locale })
  return (
    <I18nProvider locale={locale()}>
      <NamesKey />
      <ErrorBoundary>
        <Gate>
          {/* Inside `Gate`, because toasts can name clients and must disappear when the records lock. */}
          <ToastProvider>
            <Frame />
          </ToastProvider>
        </Gate>
        <ClosingScreen />
      </ErrorBoundary>
      <LostServerDialog />
    </I18nProvider>
  )
}

/** The shortcut that hides names. It is outside `Gate`, because it must work before any name is shown. */
function NamesKey() {
  useShortcuts([{ key: 'h', command: true, shift: true, onKey: useToggleNames() }])
  return null
}

function ClosingScreen() {
  const [isClosing, setClosing] = useState(false)
  useBridgeEvent('app.closing', () => setClosing(true))
  if (!isClosing) return null
  return (
    <div className="closing-screen" role="alert">
      <Loading>{appStrings.closing}</Loading>
    </div>
  )
}

function LostServerDialog() {
  const lost = useLostServer()
  const { otherServer, gone } = appStrings
  const since = lost?.kind === 'gone' ? lost.since : null
  return (
    <Dialog
      title={since === null ? otherServer.title : gone.title}
      icon={since === null ? ShieldAlert : PowerOff}
      isOpen={lost !== null}
      onClose={() => undefined}
      isDismissable={false}
      role="alertdialog"
    >
      <p>{since === null ? otherServer.text : gone.text({ time: formatClock(since) })}</p>
    </Dialog>
  )
}

const overlays = '.ui-scrim, .ui-popover'
const places = '[tabindex], [role=tabpanel], section, form, li, main'

/**
 * When the focused element is removed (a finished step, a deleted row), moves focus to its nearest remaining container, or to
 * `main`. Otherwise the next Tab would start at the top of the window (WCAG 2.4.3).
 */
function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | null = null
    let around: readonly HTMLElement[] = []
    let frame = 0
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return
      last = target
      around = target.closest(overlays) === null ? placesAround(target) : []
    }
    const isLost = (): boolean => last !== null && !last.isConnected && document.activeElement === document.body
    const restore = (): void => {
      if (!isLost() || document.querySelector(overlays) !== null) return
      const place = around.find((element) => element.isConnected) ?? document.querySelector<HTMLElement>('main')
      if (place !== null) focusOnce(place)
    }
    const observer = new MutationObserver(() => {
      if (!isLost()) return
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => (frame = requestAnimationFrame(restore)))
    })
    document.addEventListener('focusin', onFocusIn)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', onFocusIn)
      observer.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [])
}

function placesAround(element: HTMLElement): HTMLElement[] {
  const place = element.parentElement?.closest<HTMLElement>(places)
  return place ? [place, ...placesAround(place)] : []
}

function focusOnce(place: HTMLElement): void {
  const isStop = place.hasAttribute('tabindex')
  if (!isStop) place.tabIndex = -1
  place.dataset['keptFocus'] = ''
  const onBlur = (): void => {
    if (!isStop) place.removeAttribute('tabindex')
    delete place.dataset['keptFocus']
  }
  place.addEventListener('blur', onBlur, { once: true })
  place.focus({ preventScroll: true })
}
