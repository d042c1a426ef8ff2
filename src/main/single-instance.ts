import { app } from 'electron'
import { lockProfile } from '#shell/profile-lock.ts'
import { words } from './words.ts'

/** What the first app answers a second start with. The preview answers with its address instead. */
export type FirstAnswer = 'shown' | 'closing'

/**
 * One app per profile, Electron or preview. Electron's lock lets a second start bring the first window to the front, which
 * Windows allows no other way. The profile lock also covers the preview, and returns the reason when no window can be shown.
 *
 * @returns null for the first app; for a second start, the message to show, or '' if the first app shows its window
 */
export async function claimProfile(folder: string, onSecondStart: () => FirstAnswer): Promise<string | null> {
  app.on('second-instance', () => void onSecondStart())
  const lock = await lockProfile(folder, onSecondStart)
  // Skipped if the first app doesn't answer: on macOS and Linux, Chromium would kill that app.
  if (!('answered' in lock) || lock.answered === 'shown') app.requestSingleInstanceLock()
  return 'answered' in lock ? explain(lock.answered) : null
}

function explain(answer: string): string {
  if (answer === 'shown') return ''
  if (answer === 'closing') return words.alreadyRunning.closing
  return answer.startsWith('http') ? words.alreadyRunning.inBrowser : words.alreadyRunning.notResponding
}
