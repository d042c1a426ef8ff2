import type { Settings } from '#contract/bridge/settings.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { useAppState } from './app-state.ts'

/** Undefined until the records are open. */
export function useSettings(): Settings | undefined {
  const phase = useAppState()?.phase
  return useCall('settings.get', {}, { enabled: phase === 'ready' }).data
}
