import type { BrowserWindow } from 'electron'
import type { AppState } from '#contract/bridge/app.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { CoreHost } from '#shell/core-host.ts'

/**
 * Asks the system to leave the window out of screenshots and screen sharing. Newer macOS capture apps ignore this, and
 * Linux has no such setting. The settings are known once the records are open; before that nothing clinical is shown.
 */
export function followScreenCapture(core: Pick<CoreHost, 'call'>, window: () => BrowserWindow | null) {
  const apply = ({ hide_from_capture }: Settings): void => window()?.setContentProtection(hide_from_capture)
  return async (name: string, payload: unknown): Promise<void> => {
    if (name === 'settings.changed') apply(payload as Settings)
    if (name !== 'app.changed' || (payload as AppState).phase !== 'ready') return
    const answer = await core.call('settings.get', {})
    if (answer.ok) apply(answer.value as Settings)
  }
}
