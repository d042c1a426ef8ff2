import type { Trouble } from '#contract/bridge/app.ts'
import { plural } from './plural.ts'

export const gateStrings = {
  version: (version: string): string => `Version ${version}`,
  welcome: {
    headline: 'The session is for the client. The notes can come afterwards.',
    points: {
      locked: { title: 'Kept locked on this laptop', text: 'Recordings and notes are encrypted before they touch the disk.' },
      source: { title: 'Every sentence shows its source', text: 'Click it and hear the moment it was said.' },
      decide: { title: 'You decide what is true', text: 'Nothing enters the record until you sign it.' },
    },
    step: (step: number, of: number): string => `Step ${step} of ${of}`,
    continue: 'Continue',
    back: 'Back',
  },
  place: {
    title: 'Where should your records live?',
    lead: 'You can change this later in Settings.',
    laptop: 'On this laptop',
    laptopText: 'No account, no internet needed. Nothing is sent anywhere.',
    suggested: 'Suggested',
    practice: 'With my practice',
    practiceText:
      'Your practice gave you a web address and a key. You still work offline, and changes are sent when you are online.',
    address: 'Web address of your practice’s service',
    addressHelp: 'Begins with https:// and ends in /v1',
    addressWrong: 'This is not a web address. It begins with https://.',
    key: 'Key',
    keyHelp: 'Kept in the keychain of this computer and nowhere else.',
    keyPassphrase: 'This computer has no keychain to keep a key in, so a practice can only be added on one that has.',
    next: 'Next: how they are locked. Then your name, and a recovery code to print.',
  },
  protection: {
    title: 'How should they be locked?',
    lead: 'Everything is encrypted either way. This is about who holds the key.',
    label: 'How the records are locked',
    keychain: 'With this computer’s keychain',
    keychainText: 'They open when you have signed in to this computer. Choose this if nobody else uses your account here.',
    keychainMissing: 'This computer offers no keychain, so it cannot be used here.',
    passphrase: 'With a passphrase',
    passphraseText: 'You type it each time. Choose this if others use this computer, or if it has no keychain.',
    field: 'Passphrase',
    fieldHelp: 'At least 12 characters. A few words in a row are easy to remember.',
    again: 'The same once more',
    tooShort: (missing: number): string => `${plural(missing, '# character', '# characters')} more are needed.`,
    differs: 'The two are not the same yet.',
    next: 'Nobody can open the records without it or the recovery code, nor can we.',
  },
  therapist: {
    title: 'Who signs the notes?',
    lead: 'This stands under every note you sign, as you write it here.',
    name: 'Your name',
    nameHelp: 'As you sign, for example Dana Okell',
    nameMissing: 'A note cannot be signed without a name.',
    credential: 'Credential or licence',
    credentialHelp: 'For example LMFT 48213. You can leave it empty.',
    create: 'Make my records',
    creating: 'Making your records…',
    next: 'Next: a recovery code to print or write down.',
    stopped: 'Afterword stopped while it made your records, and started again.',
    stoppedText: 'No records were made. Everything you typed is still here, so make them now.',
  },
  recovery: {
    title: 'Your recovery code',
    lead: 'It opens your records if the passphrase or the keychain is lost. It is shown now and never again.',
    done: 'Open Afterword',
  },
  made: {
    title: 'Your records are made',
    lead: 'Afterword stopped in the middle of making them and started again.',
    code: 'They have a recovery code, but it was not shown before the stop, and it cannot be shown again. Make a new one in Settings, under “Getting back in”.',
    passphrase: 'Until then only your passphrase opens them.',
    keychain: 'Until then only the keychain of this computer opens them.',
  },
  lock: {
    title: 'Afterword is locked',
    idle: (time: string, minutes: number): string =>
      `Locked at ${time}, after ${plural(minutes, '# minute', '# minutes')} without use.`,
    byHand: (time: string): string => `Locked at ${time}.`,
    saved: 'Everything was saved first.',
    sinceStart: 'Unlock it to open your records.',
    passphrase: 'Passphrase',
    unlock: 'Unlock',
    unlocking: 'Unlocking…',
    wrong:
      'This passphrase doesn’t open your records. Check capital letters and the keyboard layout. If you are sure it is right, vault.json in your data folder may belong to other records: put your own vault.json back.',
    keychain: 'The keychain of this computer has the key.',
    useCode: 'Use my recovery code',
    usePassphrase: 'Use my passphrase',
    useKeychain: 'Use the keychain',
    code: 'Recovery code',
    codeHelp: 'Capital or small letters, with or without dashes.',
    codeWrong: 'This recovery code does not open the records. Compare it with your printed code.',
    olderKeys:
      'A file with the encrypted key to your records is missing, damaged or was moved, so the newest one may be missing. If your newest passphrase or recovery code doesn’t open your records, use the one from before you last changed it.',
    neverStopped: 'A recording is never stopped by the lock.',
    noneRunning: 'None is running now.',
    oneRunning: 'One is running now and is being saved.',
    oneOpen: 'One is open now.',
    onePaused: 'One is paused now. The microphone is closed.',
    oneSilent: (length: string): string =>
      `One is open, but no sound has been saved for ${length}. It may be paused, or its window may be closed.`,
    oneUnsaved: (length: string): string =>
      `One is running now, but its last ${length} are only in the memory of this window. Keep the window open and unlock Afterword to save them.`,
  },
  trouble: {
    kept: 'What is safe',
    folder: 'Data folder',
    next: 'What to do',
    unopened: 'Files the right key opens',
    zip: (name: string): string => `${name} (this is a ZIP archive: unpack it, and put the file inside in its place)`,
    moreFiles: (count: number): string => plural(count, '# more file', '# more files'),
    retry: 'Try again',
    retrying: 'Trying again…',
    still: 'That didn’t work yet.',
    open: 'Open with the recovery code',
    opening: 'Opening…',
    details: (code: string): string => `Details: ${code}`,
  },
} as const

export interface TroubleWords {
  readonly title: string
  readonly happened: string
  readonly kept: string
  readonly next: string
  readonly takesCode: boolean
}

export const troubleWords: Readonly<Record<Trouble, TroubleWords>> = {
  'keychain-locked': {
    title: 'The keychain is locked',
    happened: 'The key to your records is in the keychain of this computer, and the keychain is locked.',
    kept: 'Your records are closed and encrypted. Nothing was changed.',
    next: 'Unlock the keychain; signing out of this computer and in again does it on most systems. Then try again.',
    takesCode: true,
  },
  'keychain-unavailable': {
    title: 'The keychain does not answer',
    happened: 'The key to your records is in the keychain of this computer, and no keychain answers now.',
    kept: 'Your records are closed and encrypted. No key was written anywhere else.',
    next: 'Start the keychain, or start this computer anew, then try again. Your recovery code opens the records too.',
    takesCode: true,
  },
  'key-gone': {
    title: 'The key is not in the keychain',
    happened:
      'Your records are here, but the keychain of this computer has no key for them. That happens after the system was installed again or in another account.',
    kept: 'Your records are still encrypted. Afterword changed nothing and made no new key.',
    next: 'Type your recovery code. Afterword then puts the key back into the keychain. If the right code doesn’t open your records, the file vault.json in your data folder may belong to other records: put your own vault.json back.',
    takesCode: true,
  },
  'keys-missing': {
    title: 'The files that unlock your records can’t be read',
    happened:
      'Afterword keeps the encrypted key to your records in three files of your data folder: vault.json, vault.json.bak and recordings/keys.json. All three are missing or damaged.',
    kept: 'Your records are still in the data folder, encrypted. Afterword changed nothing and made no new key.',
    next: 'Afterword also looked for them under other names and in the folders inside the data folder. If there is a ZIP archive or another archive in the data folder, unpack it there. Otherwise put one of the three files back from a copy of your data folder, such as a backup or the trash. An older copy works too: it opens once with the passphrase or recovery code of that time, and from then on with your newest ones. Then try again. Without one of these files no passphrase or recovery code can open your records, so don’t delete the data folder.',
    takesCode: false,
  },
  'keys-mismatch': {
    title: 'The key doesn’t open these records',
    happened:
      'Afterword has a key, but it opens no part of your records. The key or the records came from another data folder, or the records are damaged throughout.',
    kept: 'Afterword changed nothing. Your data folder is as it was.',
    next: 'Copy the whole data folder to another disk first. Then look in your backups and in the trash for a data folder that has the files named below. The file vault.json in that folder opens them, and so do vault.json.bak and recordings/keys.json beside it. Put it into your data folder under the name vault.json, and try again. Leave vault.db and service.db as they are: an older copy would lack your newest records. If another program compressed or converted the files, for example a transfer in text mode, convert them back.',
    takesCode: false,
  },
  'database-damaged': {
    title: 'Afterword couldn’t repair your records',
    happened: 'A file with your records is damaged. Afterword tried to repair it and couldn’t.',
    kept: 'Afterword deleted nothing. The damaged files and your recordings are still in the data folder.',
    next: 'Copy the whole data folder to another disk first. Then try again: Afterword repairs what it can each time it opens your records. If that fails too, check this disk for errors.',
    takesCode: false,
  },
  'database-newer': {
    title: 'These records need a newer Afterword',
    happened: 'A newer version of Afterword has written these records.',
    kept: 'They are untouched.',
    next: 'Install the newer version, then open it again.',
    takesCode: false,
  },
  'database-mismatch': {
    title: 'This version can’t open these records',
    happened: 'A test version of Afterword wrote these records in a form that this version doesn’t know.',
    kept: 'Your records are unchanged.',
    next: 'Copy the whole data folder to another disk, then open the records with the version that wrote them.',
    takesCode: false,
  },
  'not-encrypted': {
    title: 'The records would not be encrypted',
    happened: 'The part of Afterword that encrypts is missing or does not work, so nothing was opened.',
    kept: 'Nothing was written in the open. What was there before is untouched.',
    next: 'Install Afterword anew, then try again.',
    takesCode: false,
  },
  'profile-in-use': {
    title: 'Afterword is already open',
    happened: 'Another window has these records open.',
    kept: 'They are untouched by this window.',
    next: 'Go on in the other window, or close it and try again.',
    takesCode: false,
  },
  'disk-full': {
    title: 'The disk is full',
    happened: 'Your records need some room on the disk to open safely.',
    kept: 'Everything saved so far is kept.',
    next: 'Make room on the disk, then try again.',
    takesCode: false,
  },
  'disk-failed': {
    title: 'The disk could not be read or written',
    happened: 'The folder with your records does not answer as it should.',
    kept: 'What was saved before is kept.',
    next: 'Check that the disk is there and that you may write to the folder, then try again.',
    takesCode: false,
  },
}
