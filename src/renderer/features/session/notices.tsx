import { CircleAlert, FileX } from 'lucide-react'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { beforeLocking } from '#renderer/bridge/closing.ts'
import { BridgeFailure } from '#renderer/bridge/use-bridge.ts'
import type { LostPart } from '#contract/bridge/recovery.ts'
import { useLostParts } from '#renderer/sessions/lost-parts.ts'
import { lostWords } from '#renderer/strings/recovery.ts'
import { formatFullDate } from '#renderer/strings/time.ts'
import { createAutosave, type Autosave, type AutosaveState, type SaveState } from './autosave.ts'

export function LostParts({ sessionId }: { readonly sessionId: string }) {
  const lost = useLostParts(sessionId)
  const found = lost
    .map(({ at }) => at)
    .toSorted()
    .at(-1)
  if (found === undefined) return null
  return (
    <div className="session-notice">
      <Notice tone="needs" icon={FileX} title={lost.map(lostWords.line).join(' ')}>
        {[
          lostWords.found({ day: formatFullDate(found) }),
          lostWords.next,
          ...(lost.some(isWritten) ? [lostWords.again] : []),
        ].join(' ')}
      </Notice>
    </div>
  )
}

const isWritten = ({ kind }: LostPart): boolean => kind !== 'recording'

interface SaveNoticeProps {
  readonly save: SaveState
  readonly words: {
    readonly stale: string
    readonly staleHelp: string
    readonly reload: string
    readonly failed: string
    readonly tryAgain: string
  }
  readonly onReload: () => void
  readonly onRetry: () => void
}

export function SaveNotice({ save, words, onReload, onRetry }: SaveNoticeProps) {
  if (save === 'stale') {
    return (
      <Notice tone="needs" icon={CircleAlert} title={words.stale} actions={<Button onPress={onReload}>{words.reload}</Button>}>
        {words.staleHelp}
      </Notice>
    )
  }
  if (save === 'failed') {
    return (
      <Notice
        tone="stopped"
        icon={CircleAlert}
        title={words.failed}
        actions={<Button onPress={onRetry}>{words.tryAgain}</Button>}
      />
    )
  }
  return null
}

interface Versioned {
  readonly id: string
  readonly version: number
}

interface Ports<Record> {
  readonly save: (record: Record) => Promise<Record>
  readonly merge: (stored: Record, local: Record) => Record
}

const QUIET_MS = 500

export function useAutosave<Record extends Versioned>(
  stored: Record,
  ports: Ports<Record>,
): { readonly state: AutosaveState<Record>; readonly autosave: Autosave<Record> } {
  const [autosave] = useState(() =>
    createAutosave(stored, {
      ...ports,
      isStale: (failure) => failure instanceof BridgeFailure && failure.code === 'stale-version',
      later: (run) => {
        const timer = setTimeout(run, QUIET_MS)
        return () => clearTimeout(timer)
      },
    }),
  )
  const state = useSyncExternalStore(autosave.subscribe, autosave.getState)
  useEffect(() => autosave.adopt(stored), [autosave, stored])
  useEffect(() => () => void autosave.flush(), [autosave])
  useEffect(() => beforeLocking(() => autosave.flush()), [autosave])
  return { state, autosave }
}
