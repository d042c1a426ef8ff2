import { CircleAlert, FileX, ShieldOff } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { beforeLocking, beforeSaving } from '#renderer/bridge/closing.ts'
import { BridgeFailure } from '#renderer/bridge/use-bridge.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { useLostParts } from '#renderer/sessions/lost-parts.ts'
import { listOfNames } from '#renderer/strings/lists.ts'
import { lostWords } from '#renderer/strings/recovery.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { formatFullDate } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import { afterPause, createAutosave, type AutosavePorts, type SaveState } from './autosave.ts'
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

type NeededProps = Readonly<{ scope: 'transcribe' | 'draft' | null; children: ReactNode }>

/** Replaces what would be refused while someone present has not agreed. */
export function ConsentNeeded({ scope, children }: NeededProps) {
  const { id, row } = useSession()
  const name = useName()
  const refusing = row.consent.missing.filter(({ scopes }) => scope !== null && scopes.includes(scope))
  if (scope === null || refusing.length === 0) return children
  const { record, [scope]: words } = sessionWords.consent.needed
  const names = refusing.map(({ participant }) => name(participant.name))
  return (
    <Notice
      tone="needs"
      icon={ShieldOff}
      title={words.title({ names: listOfNames(names), count: names.length })}
      text={words.text}
      actions={<Button onPress={() => navigate(sessionPath(id, 'consent'))} label={record} />}
    />
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

/** `keep` is called before a note is signed or the records lock, and when the box leaves the page. See `beforeSaving`. */
export function useOpenBox(keep: () => HTMLElement | null): void {
  const latest = useRef(keep)
  useEffect(() => {
    latest.current = keep
  })
  useEffect(() => {
    const remove = beforeSaving(() => latest.current())
    return () => {
      remove()
      latest.current()
    }
  }, [])
}

const QUIET_MS = 500
const MAX_UNSAVED_MS = 3000

export function useAutosave<Saved extends { readonly version: number }>(
  stored: Saved,
  ports: Pick<AutosavePorts<Saved>, 'save' | 'merge' | 'newer' | 'rebase'>,
) {
  const [autosave] = useState(() =>
    createAutosave(stored, {
      ...ports,
      isStale: (failure) => failure instanceof BridgeFailure && failure.code === 'stale-version',
      later: afterPause(QUIET_MS, MAX_UNSAVED_MS),
    }),
  )
  const state = useSyncExternalStore(autosave.subscribe, autosave.getState)
  useEffect(() => autosave.adopt(stored), [autosave, stored])
  useEffect(() => () => void autosave.flush(), [autosave])
  useEffect(() => beforeLocking(() => autosave.flush()), [autosave])
  return { state, autosave }
}
