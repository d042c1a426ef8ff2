import { useEffect, useState } from 'react'

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

export const midnight = (now: Date, days = 0): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
