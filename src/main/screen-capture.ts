import type { BrowserWindow } from 'electron'
import type { AppState } from '#contract/bridge/app.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { CoreHost } from '#shell/core-host.ts'

/**
 * Hides the window from screenshots and screen sharing where the settings say so. They are known once the records are
 * open; before that the window shows nothing clinical. No effect on Linux.
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
