import { useEffect } from 'react'
import { lock, rememberLock } from '#renderer/lib/lock-reason.ts'

const signsOfUse = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const

/**
 * Locks after so many minutes without key or pointer; 0: never. By the clock rather than by one timer, so that the time
 * a laptop slept counts. A recording goes on under the lock.
 */
export function useIdleLock(minutes: number, isOn: boolean): void {
  useEffect(() => {
    if (!isOn || minutes <= 0) return undefined
    let lastUse = Date.now()
    const used = (): void => {
      lastUse = Date.now()
    }
    const check = (): void => {
      if (Date.now() - lastUse < minutes * 60_000) return
      lastUse = Date.now()
      rememberLock({ at: new Date(), idle_minutes: minutes })
      lock()
    }
    for (const sign of signsOfUse) window.addEventListener(sign, used, { passive: true, capture: true })
    const timer = setInterval(check, 5000)
    return () => {
      clearInterval(timer)
      for (const sign of signsOfUse) window.removeEventListener(sign, used, { capture: true })
    }
  }, [minutes, isOn])
}
