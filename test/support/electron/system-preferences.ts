import type { SystemPreferences } from 'electron'
import { record } from './journal.ts'
import type { Faithful } from './native-emitter.ts'
import { options } from './options.ts'
import { register } from './registrations.ts'

type Status = ReturnType<SystemPreferences['getMediaAccessStatus']>

let status: Status = options.microphone.status

async function askForMediaAccess(kind: 'microphone' | 'camera'): Promise<boolean> {
  if (kind === 'camera') throw new Error('nobody should ask for a camera')
  if (!register('systemPreferences.askForMediaAccess')) return true
  record('asked-for-microphone', status)
  if (status === 'not-determined') status = options.microphone.answer ? 'granted' : 'denied'
  return status === 'granted'
}

const getMediaAccessStatus = (kind: 'microphone' | 'camera' | 'screen'): Status => (kind === 'microphone' ? status : 'denied')

/** Methods of other platforms are missing, so a call without a platform check fails. */
const fake = {
  ...(process.platform === 'darwin' ? { askForMediaAccess } : {}),
  ...(['darwin', 'win32'].includes(process.platform) ? { getMediaAccessStatus } : {}),
} as { askForMediaAccess: typeof askForMediaAccess; getMediaAccessStatus: typeof getMediaAccessStatus }

export const systemPreferences = fake satisfies Faithful<typeof fake, SystemPreferences>

/**
 * The page's microphone stream after the app's permission handler granted it. macOS gives silence to an app that never
 * called `askForMediaAccess`.
 */
export function grantedSound(): 'sound' | 'silence' | 'refused' {
  if (process.platform === 'linux' || status === 'granted') return 'sound'
  if (status === 'not-determined') return 'silence'
  return 'refused'
}
