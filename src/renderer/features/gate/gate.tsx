import { useState, type ReactNode } from 'react'
import { useAppState } from '#renderer/lib/app-state.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { Loading, Problem } from '#renderer/ui/page.tsx'
import { FirstRun } from './first-run.tsx'
import { LockScreen } from './lock-screen.tsx'
import { TroubleScreen } from './trouble-screen.tsx'
import './gate.css'

/** What stands before the records until they are open. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const state = useAppState()
  const { error } = useCall('app.state', {})
  // Once begun, the first run stays until the recovery code was kept, although the records are open before that.
  const [isFirstRun, setFirstRun] = useState(false)
  if (state?.phase === 'first_run' && !isFirstRun) setFirstRun(true)

  // It also stays while the core starts again: what was typed is not asked for twice.
  if (state !== undefined && isFirstRun) return <FirstRun state={state} onDone={() => setFirstRun(false)} />
  if (state === undefined || state.phase === 'starting') return <Starting problem={error?.code ?? null} />
  if (state.phase === 'trouble') return <TroubleScreen key={state.trouble} trouble={state.trouble ?? 'disk-failed'} />
  if (state.phase === 'locked') return <LockScreen state={state} />
  return children
}

function Starting({ problem }: { readonly problem: string | null }) {
  return (
    <main className="gate-starting">
      <h1 className="visually-hidden">{appStrings.name}</h1>
      {problem === null ? <Loading>{appStrings.starting}</Loading> : <Problem code={problem} />}
    </main>
  )
}
