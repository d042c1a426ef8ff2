import { app } from 'electron'
import { lockProfile } from '#shell/profile-lock.ts'
import { words } from './words.ts'

/** What the first app answers a second start with. The preview answers with its address instead. */
export type FirstAnswer = 'shown' | 'closing'

/**
 * One app per profile, in either shell. Electron's own lock hands the right to the foreground to the first app's window,
 * which Windows gives to nobody else; the profile's lock also excludes the preview, and tells why when the window cannot
 * be shown.
 *
 * @returns null for the first app; for a second start, what to tell the person, or '' where the first one shows itself
 */
export async function claimProfile(folder: string, onSecondStart: () => FirstAnswer): Promise<string | null> {
  app.on('second-instance', () => void onSecondStart())
  const lock = await lockProfile(folder, onSecondStart)
  // Not of an app that doesn't answer: on macOS and Linux Chromium would kill it.
  if (!('answered' in lock) || lock.answered === 'shown') app.requestSingleInstanceLock()
  return 'answered' in lock ? explain(lock.answered) : null
}

function explain(answer: string): string {
  if (answer === 'shown') return ''
  if (answer === 'closing') return words.alreadyRunning.closing
  return answer.startsWith('http') ? words.alreadyRunning.inBrowser : words.alreadyRunning.notResponding
}
