import type { UpdateFailure, UpdateState } from '#contract/bridge/updates.ts'

/** What happened, what is safe, what to do. */
const failures: Readonly<Record<UpdateFailure, string>> = {
  'feed-unreachable': 'The update server didn’t answer. Your records are safe. Check your connection, then try again.',
  'feed-missing':
    'There is no update information at this address. Your records are safe. Check the update address below, or try again later.',
  'feed-unreadable':
    'Something other than the update server answered. Your records are safe. If this network has a sign-in page, sign in, then try again.',
  'feed-redirected':
    'The update server pointed to a different server, and Afterword didn’t follow. Your records are safe. Check the update address below.',
  'feed-unsigned':
    'The update information isn’t signed by Afterword, so nothing was downloaded. Your records are safe. Don’t install an update from this address.',
  'download-interrupted': 'The download was interrupted. Your records are safe. Check your connection, then try again.',
  'download-damaged':
    'The download doesn’t match the released version, so Afterword deleted it. Your records are safe. Download it again.',
  'disk-full': 'The disk is full. Your records are safe. Free some space, then try again.',
  'folder-read-only':
    'Afterword can’t write to the folder it is installed in. Nothing was changed. Move the app to a folder of your own, then try again.',
  'backup-failed':
    'A fresh backup couldn’t be made, so nothing was installed. Your records are safe. Check the backup folder, then try again.',
  'install-failed': 'The update couldn’t be installed. Your records are safe, and you still have the version you had. Try again.',
}

const otherDelivery: Readonly<Record<Exclude<UpdateState['delivery'], 'install' | 'notify'>, string>> = {
  preview: 'This is the preview. To update it, get the latest source, then run npm start again.',
  development: 'This is a development build. To update it, get the latest source, then build it again.',
  'not-set-up':
    'This build can’t check for updates because it has no update address or no release key. Install new versions the way you installed this one.',
}

export const updateStrings = {
  group: 'Updates',
  failures,
  otherDelivery,
  howUpdated: 'How this copy is updated',
  automatic: {
    label: 'Check for updates automatically',
    on: 'Afterword checks once a day while your records are open. It asks the update server for the latest version and sends nothing else. It downloads nothing until you say so.',
    off: 'Afterword contacts the update server only when you check.',
  },
  idle: (version: string): string => `Afterword ${version}`,
  idleText: 'Not checked since Afterword started.',
  check: 'Check for updates',
  checking: 'Checking…',
  upToDate: (version: string): string => `Afterword ${version} is up to date`,
  checkedAt: (when: string): string => `Last checked: ${when}.`,
  available: (version: string): string => `Version ${version} is available`,
  facts: (date: string | null, size: string | null): string =>
    [date === null ? null : `Released ${date}`, size].filter((fact) => fact !== null).join(' · '),
  whatsNew: 'What’s new',
  download: 'Download',
  downloadAgain: 'Download again',
  downloading: (version: string): string => `Downloading version ${version}`,
  progress: (percent: number, size: string | null): string => (size === null ? `${percent}%` : `${percent}% of ${size}`),
  quarter: (percent: number): string => `${percent} percent downloaded.`,
  keepWorking: 'You can keep working.',
  ready: (version: string): string => `Version ${version} is ready to install`,
  readyText: 'Afterword closes, installs the update, and opens again. Your records stay as they are.',
  install: 'Restart and install',
  installing: 'Closing…',
  obstacles: {
    recording: 'A recording is running. Afterword will offer the update when it ends.',
    unsaved: 'Changes are still being saved. Wait a moment, then try again.',
  },
  packaged: 'This copy was installed as a package. Download the new package and install it the same way:',
  copyAddress: 'Copy address',
  copied: 'Copied.',
  notCopied: 'The clipboard can’t be used. Select the address and copy it.',
  failed: 'Update failed',
  tryAgain: 'Try again',
  mirror: {
    label: 'Update address',
    help: 'Leave blank for the standard address. A practice can run its own mirror. Updates must still be signed by Afterword.',
    wrong: 'Enter an address that begins with https://.',
  },
  badge: 'Update available',
} as const
