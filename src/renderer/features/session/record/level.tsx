import { useEffect, useRef, useState } from 'react'
import { sessionWords } from '#renderer/strings/session.ts'
import { levelSteps } from './trace.ts'

const steps = Array.from({ length: 24 }, (_, index) => index)

/** Twenty-four steps of the last written record. */
export function Level({ peak }: { readonly peak: number }) {
  const on = levelSteps(useCalmPeak(peak))
  return (
    <div
      className="level"
      role="meter"
      aria-valuemin={0}
      aria-valuemax={24}
      aria-valuenow={on}
      aria-label={sessionWords.now.level}
      aria-valuetext={sessionWords.now.levelLabel(on)}
    >
      {steps.map((step) => (
        <span key={step} className={step < on ? 'level-step level-step-on' : 'level-step'} />
      ))}
    </div>
  )
}

const calmMs = 1000

/** With reduced motion the level changes once a second, to the loudest of that second. */
function useCalmPeak(peak: number): number {
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
