import type { UpdateFailure, UpdateState } from '#contract/bridge/updates.ts'

const failures: Readonly<Record<UpdateFailure, string>> = {
  'feed-unreachable': 'The update server didn’t answer. Your records are safe. Check your connection, then try again.',
  'feed-missing':
    'The update server doesn’t have the file Afterword asked for. Your records are safe. Check the update address below, or try again later.',
  'feed-unreadable':
    'Afterword couldn’t read the update server’s answer. Your records are safe. If this network has a sign-in page, sign in, then try again.',
  'feed-redirected':
    'The update server pointed to a different server, and Afterword didn’t follow. Your records are safe. Check the update address below.',
  'feed-unsigned':
    'The update information isn’t signed by Afterword, so nothing was downloaded. Your records are safe. Try again later. If it keeps happening, don’t install updates from this address.',
  'download-interrupted': 'The download was interrupted. Your records are safe. Check your connection, then try again.',
  'download-damaged':
    'The download doesn’t match the released version, so Afterword deleted it. Your records are safe. Download it again.',
  'disk-full': 'Afterword couldn’t save the download. Your records are safe. Check that the disk has free space, then try again.',
  'folder-read-only':
    'Afterword can’t write to a folder it needs for the update. Your records are safe. Check your permissions. If you use the AppImage, move it to your home folder. Then try again.',
  'backup-failed':
    'A fresh backup couldn’t be made, so nothing was installed. Your records are safe. Check the backup folder, then try again.',
  'install-failed': 'The update wasn’t installed. Your records are safe, and this version still works. Try again.',
}

const otherDelivery: Readonly<Record<Exclude<UpdateState['delivery'], 'install' | 'notify'>, string>> = {
  preview: 'This is the preview. To update it, get the latest source, then run npm start again.',
  development: 'This is a development build. To update it, get the latest source, then build it again.',
  'not-set-up':
    'This version can’t check for updates. Your records are safe. Install new versions the way you installed this one.',
}

export const updateStrings = {
  group: 'Updates',
  failures,
  otherDelivery,
  howUpdated: 'How to update Afterword',
  automatic: {
    label: 'Check for updates automatically',
    on: 'Afterword checks when you first unlock it, then once a day. It only asks the update server for the latest version. It downloads nothing until you choose Download.',
    off: 'Afterword contacts the update server only when you check or download.',
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
  downloadAgain: 'Try the download again',
  downloading: (version: string): string => `Downloading version ${version}`,
  progress: (percent: number, size: string | null): string => (size === null ? `${percent}%` : `${percent}% of ${size}`),
  quarter: (percent: number): string => `${percent} percent downloaded.`,
  keepWorking: 'You can keep working.',
  ready: (version: string): string => `Version ${version} is ready to install`,
  readyText:
    'Afterword closes, installs the update, and opens again. Windows may ask for an administrator’s permission. Your records are safe.',
  install: 'Restart and install',
  installing: 'Closing…',
  obstacles: {
    recording: 'A recording is still open. You can install the update when it ends.',
    unsaved: 'Changes are still being saved. Wait a moment, then try again.',
  },
  packaged:
    'Afterword can’t update itself when it is installed from a .deb or .rpm file. Download the new file from this address, then install it:',
  copyAddress: 'Copy address',
  copied: 'Copied.',
  notCopied: 'The clipboard can’t be used. Select the address and copy it.',
  failed: 'Couldn’t get the update',
  tryAgain: 'Try again',
  mirror: {
    label: 'Update address',
    help: 'Leave blank for the standard address. A practice can run its own mirror. Updates must still be signed by Afterword.',
    wrong: 'Enter an address that begins with https://.',
  },
  badge: 'Update available',
} as const
