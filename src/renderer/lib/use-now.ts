import { useEffect, useState } from 'react'

/** The clock, read again every so many milliseconds and when the window comes back into view. */
export function useNow(everyMs = 20_000): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const read = (): void => setNow(new Date())
    const timer = setInterval(read, everyMs)
    document.addEventListener('visibilitychange', read)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', read)
    }
  }, [everyMs])
  return now
}

/** Local midnight, so many days from `now`. */
export function midnight(now: Date, days = 0): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
}
