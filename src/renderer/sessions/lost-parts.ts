import type { LostPart } from '#contract/bridge/recovery.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'

export function useLostParts(sessionId: string): LostPart[] {
  return (useCall('recovery.lostParts', {}).data ?? []).filter(({ session_id }) => session_id === sessionId)
}

/** True if the whole part is lost and was neither recovered nor created again. */
export function useIsLost(sessionId: string, kind: LostPart['kind']): boolean {
  return useLostParts(sessionId).some((part) => part.kind === kind && !part.is_partial)
}

/** Sessions whose whole note is lost and was neither recovered nor written again. */
export function useLostNotes(): ReadonlySet<string> {
  const lost = useCall('recovery.lostParts', {}).data ?? []
  return new Set(lost.filter(({ kind, is_partial }) => kind === 'note' && !is_partial).map(({ session_id }) => session_id))
}
