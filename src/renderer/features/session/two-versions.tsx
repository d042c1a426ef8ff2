import { GitCompareArrows } from 'lucide-react'
import type { Conflict } from '#contract/bridge/conflicts.ts'
import { conflictPath, navigate } from '#renderer/lib/navigation.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { conflictStrings, sessionConflict } from '#renderer/strings/conflicts.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'

/** On the session's own page: something of it waits for a choice. */
export function TwoVersions({ sessionId }: { readonly sessionId: string }) {
  const conflicts = (useCall('conflicts.list', {}).data ?? []).filter(({ session_id }) => session_id === sessionId)
  return conflicts.map((conflict: Conflict) => (
    <div key={conflict.id} className="session-two-versions">
      <Notice
        tone="needs"
        icon={GitCompareArrows}
        actions={
          <Button size="row" onPress={() => navigate(conflictPath(conflict.id))}>
            {conflictStrings.open}
          </Button>
        }
      >
        {sessionConflict(conflict)}
      </Notice>
    </div>
  ))
}
