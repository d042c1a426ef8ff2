import { CircleAlert, FileX } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { beforeLocking } from '#renderer/bridge/closing.ts'
import { BridgeFailure } from '#renderer/bridge/use-bridge.ts'
import { useLostParts } from '#renderer/sessions/lost-parts.ts'
import { lostWords } from '#renderer/strings/recovery.ts'
import { formatFullDate } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { createAutosave, type AutosavePorts, type SaveState } from './autosave.ts'
import { useSession } from './session-data.ts'

export function LostParts() {
  const lost = useLostParts(useSession().id)
  const found = lost.map(({ at }) => at).toSorted()
  const last = found.at(-1)
  if (last === undefined) return null
  const canWriteAgain = lost.some(({ kind }) => kind !== 'recording')
  return (
    <div className="session-notice">
      <Notice tone="needs" icon={FileX} title={lost.map(lostWords.line).join(' ')}>
        {lostWords.found({ day: formatFullDate(last) })} {lostWords.next} {canWriteAgain && lostWords.again}
      </Notice>
    </div>
  )
}

interface SaveNoticeProps {
  readonly save: SaveState
  readonly words: Readonly<Record<'stale' | 'staleHelp' | 'reload' | 'failed' | 'tryAgain', string>>
  readonly onReload: () => void
  readonly onRetry: () => void
}

export function SaveNotice({ save, words, onReload, onRetry }: SaveNoticeProps) {
  const retry = <Button onPress={onRetry} label={words.tryAgain} />
  if (save === 'failed') return <Notice tone="stopped" icon={CircleAlert} title={words.failed} actions={retry} />
  if (save !== 'stale') return null
  return (
    <Notice tone="needs" icon={CircleAlert} title={words.stale} actions={<Button onPress={onReload} label={words.reload} />}>
      {words.staleHelp}
    </Notice>
  )
}

const QUIET_MS = 500

export function useAutosave<Saved extends { readonly version: number }>(
  stored: Saved,
  ports: Pick<AutosavePorts<Saved>, 'save' | 'merge'>,
) {
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
