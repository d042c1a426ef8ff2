import { useState } from 'react'
import type { Work } from '#contract/bridge/sessions.ts'
import { useBridgeEvent } from '#renderer/bridge/use-bridge.ts'

/** Long work as last stored, moved on by what the core tells while it runs. */
export function useWorkProgress(sessionId: string, kind: 'transcribe' | 'draft' | 'analyze', work: Work): Work {
  const [heard, setHeard] = useState<{ readonly of: Work; readonly progress: number } | null>(null)
  useBridgeEvent('work.progress', (event) => {
    if (event.session_id === sessionId && event.kind === kind) setHeard({ of: work, progress: event.progress })
  })
  const isBusy = work.state === 'running' || work.state === 'waiting'
  return isBusy && heard !== null && heard.of === work
    ? { ...work, state: 'running', progress: Math.max(work.progress, heard.progress) }
    : work
}

/** Screen readers hear of it in quarters. */
export function spokenQuarter(progress: number): number {
  return Math.floor(progress * 4) * 25
}
