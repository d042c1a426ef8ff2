import { useEffect, useRef, useState } from 'react'

const calmMs = 1000

/** With reduced motion the level changes once a second, to the loudest of that second. */
export function useCalmPeak(peak: number): number {
  const isCalm = useReducedMotion()
  const loudest = useRef(0)
  const [shown, setShown] = useState(0)
  useEffect(() => {
    loudest.current = Math.max(loudest.current, peak)
  }, [peak])
  useEffect(() => {
    if (!isCalm) return undefined
    const timer = setInterval(() => {
      setShown(loudest.current)
      loudest.current = 0
    }, calmMs)
    return () => clearInterval(timer)
  }, [isCalm])
  return isCalm ? shown : peak
}

function useReducedMotion(): boolean {
  const [isReduced, setReduced] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches)
  useEffect(() => {
    const query = window.matchMedia('(prefers-reduced-motion: reduce)')
    const onChange = (): void => setReduced(query.matches)
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }, [])
  return isReduced
}
