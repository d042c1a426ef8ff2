import { FileX } from 'lucide-react'
import type { LostPart } from '#contract/bridge/recovery.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { lostWords as words } from '#renderer/strings/recovery.ts'
import { formatFullDate } from '#renderer/strings/time.ts'
import { Notice } from '#renderer/ui/page.tsx'

/** True if the whole part is lost and was neither recovered nor created again. */
export function useIsLost(session_id: string, kind: LostPart['kind']): boolean {
  const lost = useCall('recovery.lostOfSession', { session_id }).data ?? []
  return lost.some((part) => part.kind === kind && !part.is_partial)
}

export function LostParts({ sessionId }: { readonly sessionId: string }) {
  const lost = useCall('recovery.lostOfSession', { session_id: sessionId }).data ?? []
  const found = lost
    .map(({ at }) => at)
    .toSorted()
    .at(-1)
  if (found === undefined) return null
  return (
    <div className="session-notice">
      <Notice tone="needs" icon={FileX} title={lost.map(words.line).join(' ')}>
        {[words.found(formatFullDate(found)), words.next, ...(lost.some(isWritten) ? [words.again] : [])].join(' ')}
      </Notice>
    </div>
  )
}

const isWritten = ({ kind }: LostPart): boolean => kind !== 'recording'
