import type { AppState } from '#contract/bridge/app.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import type { Settings } from '#contract/bridge/settings.ts'

export function useAppState(): AppState | undefined {
  return useCall('app.state', {}).data
}

export const isMac = (): boolean => /mac/i.test(navigator.userAgent)

/** "Ctrl+K" as this keyboard writes it. */
export function keysFor(keys: string): string {
  return isMac() ? keys.replace('Ctrl', 'Cmd') : keys
}

/** Undefined until the records are open. */
export function useSettings(): Settings | undefined {
  const phase = useAppState()?.phase
  return useCall('settings.get', {}, { enabled: phase === 'ready' }).data
}
