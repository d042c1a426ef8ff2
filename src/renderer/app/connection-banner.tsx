import { useEffect, useState } from 'react'
import { bridge } from '#renderer/bridge/bridge.ts'
import { appStrings } from '#renderer/strings/app.ts'

/** A core that starts again is back within a second or two; only a longer absence is worth a sentence. */
const patienceMs = 700

function useConnectionLost(): boolean {
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = bridge.onConnection((connected) => {
      clearTimeout(timer)
      if (connected) setLost(false)
      else timer = setTimeout(() => setLost(true), patienceMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [])
  return isLost
}

export function ConnectionBanner() {
  const isLost = useConnectionLost()
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
