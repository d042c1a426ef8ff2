import type { LostPart } from '#contract/bridge/recovery.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'

export const useLostParts = (sessionId: string): LostPart[] =>
  (useCall('recovery.lostParts', {}).data ?? []).filter(({ session_id }) => session_id === sessionId)

export const useIsLost = (sessionId: string, kind: LostPart['kind']): boolean =>
  useLostParts(sessionId).some((part) => part.kind === kind && !part.is_partial)

export function useLostNotes(): ReadonlySet<string> {
  const lost = useCall('recovery.lostParts', {}).data ?? []
  return new Set(lost.filter(({ kind, is_partial }) => kind === 'note' && !is_partial).map(({ session_id }) => session_id))
}
