import { sessionWords } from '#renderer/strings/session.ts'
import { levelSteps } from './trace.ts'
import { useCalmPeak } from './use-calm-peak.ts'

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
