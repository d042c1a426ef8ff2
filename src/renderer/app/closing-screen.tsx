import { useState } from 'react'
import { useBridgeEvent } from '#renderer/bridge/use-bridge.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { Loading } from '#renderer/ui/page.tsx'
import './closing-screen.css'

/** Covers the window from the moment the app is quitting: what is typed now would be lost. */
export function ClosingScreen() {
  const [isClosing, setClosing] = useState(false)
  useBridgeEvent('app.closing', () => setClosing(true))
  if (!isClosing) return null
  return (
    <div className="closing-screen" role="alert">
      <Loading>{appStrings.closing}</Loading>
    </div>
  )
}
