import type { OutboxStatus } from '#contract/bridge/library.ts'
import type { UpdateFailure, UpdateState } from '#contract/bridge/updates.ts'
import { plural } from './plural.ts'
import { countToDo, phaseSentence } from './outbox.ts'

export const appStrings = {
  name: 'Afterword',
  mark: 'A.',
  starting: 'Opening your records',
  closing: 'Closing Afterword',
  pages: {
    label: 'Pages',
    today: 'Today',
    clients: 'Clients',
    week: 'Week',
    figures: 'Figures',
    outbox: 'Outbox',
    settings: 'Settings',
    menu: 'Menu',
    outboxCount: (count: number): string => plural(count, '# change waits', '# changes wait'),
  },
  titleBar: {
    label: 'Title bar',
    find: 'Find a client, a session or a word',
    findShort: 'Find',
    hideNames: 'Hide names',
    showNames: 'Show names',
    lock: 'Lock',
    recording: 'Recording',
    paused: 'Paused',
    recordingLabel: 'Recording. The microphone is open. Go to the session.',
    pausedLabel: 'Recording is paused. The microphone is closed. Go to the session.',
    unsavedLabel: (length: string): string => `Recording. The last ${length} are not saved yet. Go to the session.`,
    unsaved: (length: string): string => `The last ${length} are not saved yet.`,
    openLabel: 'A recording is open. Go to the session.',
    notSaving: 'Not saving',
    silent: (length: string): string => `No sound saved for ${length}.`,
    silentLabel: (length: string): string => `No sound has been saved for ${length}. Go to the session.`,
    microphoneOpen: 'The microphone is open.',
    microphoneClosed: 'The microphone is closed.',
  },
  connection: {
    lost: 'Afterword is starting its core again.',
    lostText: 'What was saved is safe. A running recording keeps its sound and hands it over when the core is back.',
  },
  gone: {
    title: 'Afterword isn’t running anymore.',
    text: (time: string): string =>
      `Everything saved before ${time} is safe. If you were recording, sound after ${time} isn’t saved. Start Afterword again; it opens a new window. Then close this one.`,
  },
  otherServer: {
    title: 'Don’t type anything in this window.',
    text: 'Another program is answering in Afterword’s place. None of your records were sent to it, and everything you saved is safe. Close this window, then start Afterword again.',
  },
  crash: {
    title: 'This page could not be shown.',
    text: 'Your records and recordings are safe; the fault is in the screen only.',
    again: 'Show it again',
    today: 'Go to Today',
  },
  shortcuts: {
    title: 'Keyboard',
    lead: 'Single letters work outside of text fields only.',
    singleKeys: 'Single-letter keys',
    everywhere: 'Everywhere',
    session: 'Session',
    transcript: 'Transcript',
    note: 'Note',
    close: 'Close the list',
  },
} as const

interface ShortcutLine {
  readonly keys: string
  readonly does: string
}

export const shortcutGroups: readonly { readonly title: string; readonly lines: readonly ShortcutLine[] }[] = [
  {
    title: appStrings.shortcuts.everywhere,
    lines: [
      { keys: 'Ctrl+K', does: 'Find' },
      { keys: 'Ctrl+1…6', does: 'Today, Clients, Week, Figures, Outbox, Settings' },
      { keys: 'Ctrl+L', does: 'Lock' },
      { keys: 'Ctrl+Shift+H', does: 'Hide or show names' },
      { keys: 'F6', does: 'Next part of the window' },
      { keys: 'Esc', does: 'Back or close' },
      { keys: '?', does: 'This list' },
    ],
  },
  {
    title: appStrings.shortcuts.session,
    lines: [
      { keys: 'P', does: 'Pause or go on' },
      { keys: 'M', does: 'Mark this moment' },
      { keys: 'Ctrl+Enter', does: 'End the session (asks first)' },
    ],
  },
  {
    title: appStrings.shortcuts.transcript,
    lines: [
      { keys: 'Space', does: 'Play or stop' },
      { keys: 'J, L', does: 'Five seconds back, on' },
      { keys: 'E', does: 'Correct the words' },
      { keys: '1–4', does: 'Set the speaker' },
      { keys: 'N', does: 'Next to check' },
      { keys: 'Enter', does: 'Play from here' },
    ],
  },
  {
    title: appStrings.shortcuts.note,
    lines: [
      { keys: '↑, ↓', does: 'Between statements' },
      { keys: 'Enter', does: 'Edit the statement' },
      { keys: 'P', does: 'Play its evidence' },
      { keys: 'N', does: 'Next to check' },
      { keys: 'C', does: 'Confirm' },
      { keys: 'Ctrl+Enter', does: 'Sign' },
    ],
  },
]

interface SavedSentence {
  readonly strong: string
  readonly rest: string
}

export const unreadReport = (isLosing: boolean): SavedSentence => ({
  strong: isLosing ? 'Some of your records are missing.' : 'Some of your records were repaired.',
  rest: 'Read the report first.',
})

/** @param until formatted time at which sending resumes; null if there is no such time */
export function savedSentence(status: OutboxStatus | undefined, until: string | null = null): SavedSentence {
  const strong = 'Saved on this laptop.'
  if (status === undefined) return { strong, rest: '' }
  const toDo = countToDo(status)
  if (toDo > 0) return { strong, rest: plural(toDo, '# change needs you.', '# changes need you.') }
  if (status.service === 'remote') return { strong, rest: phaseSentence(status, until) }
  if (status.waiting === 0) return { strong, rest: 'Nothing waits.' }
  return { strong, rest: plural(status.waiting, '# thing is being worked on.', '# things are being worked on.') }
}

export const searchStrings = {
  title: 'Find',
  field: 'Find a client, a session or a word',
  results: 'Found',
  clients: 'Clients',
  words: 'Said in a session',
  hint: 'Type a name, or words that were said.',
  nothing: 'Nothing was found.',
  nothingText: 'Names are found by the start of any part, words as they stand in a transcript.',
  searching: 'Looking…',
  count: (count: number): string => plural(count, '# result', '# results'),
  at: (name: string, day: string): string => `${name}, ${day}`,
} as const

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

export const fieldStrings = {
  choose: 'Choose',
  clear: 'Clear',
  showPassphrase: 'Show what I type',
  hidePassphrase: 'Hide what I type',
  close: 'Close',
  dismiss: 'Put away',
  undo: 'Undo',
  more: 'More',
  tryAgain: 'Try again',
  details: 'Details',
  loading: 'Loading…',
} as const

export const recoveryCodeStrings = {
  label: 'Recovery code',
  keep: 'Keep it on paper, away from this laptop. Whoever has it and this laptop can read your records.',
  print: 'Print it',
  copy: 'Copy it',
  copied: 'Copied. Clear the clipboard when you have stored it.',
  copiedFor: (seconds: number): string =>
    `Recovery code copied. Paste it now: Afterword clears the clipboard in ${seconds} seconds.`,
  copyFailed: 'It could not be copied. Select the code and copy it by hand, or write it down.',
  written: 'I have written it down or printed it',
  writtenFirst: 'Keep the code first; it is not shown again.',
  paper: {
    title: 'Afterword recovery code',
    made: (day: string): string => `Made on ${day}.`,
    text: 'It opens the records on the laptop it was made for, if the passphrase is forgotten or the keychain is lost.',
    use: 'In Afterword, on the lock screen, choose “Use my recovery code” and type it. A newer code makes this one useless.',
    keep: 'Keep it away from that laptop. Whoever has both can read the records.',
  },
} as const
