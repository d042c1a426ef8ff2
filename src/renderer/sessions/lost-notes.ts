import { useCall } from '#renderer/bridge/use-bridge.ts'

/** Sessions whose whole note is lost, and was neither recovered nor written again. */
export function useLostNotes(): ReadonlySet<string> {
  const lost = useCall('recovery.lostParts', {}).data ?? []
  return new Set(lost.filter(({ kind, is_partial }) => kind === 'note' && !is_partial).map(({ session_id }) => session_id))
}
