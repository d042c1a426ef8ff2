import type { ErrorCode } from '#contract/errors.ts'
import { practiceErrorSentences } from './practice-errors.ts'

export interface ErrorSentence {
  readonly happened: string
  readonly kept: string
  readonly next: string
}

export const errorSentences: Readonly<Record<ErrorCode, ErrorSentence>> = {
  ...practiceErrorSentences,
  'bad-request': {
    happened: 'That could not be read.',
    kept: 'Nothing was changed.',
    next: 'Try it once more; if it stays so, the app and the service may be of different versions.',
  },
  'validation-failed': {
    happened: 'A field needs another value.',
    kept: 'What you typed is still here, and nothing was saved yet.',
    next: 'Mend the marked field and save again.',
  },
  unauthenticated: {
    happened: 'The service does not know this key.',
    kept: 'Your records on this laptop are safe and everything else works.',
    next: 'Enter the key again in Settings.',
  },
  forbidden: {
    happened: 'Your practice does not let this key do that.',
    kept: 'Nothing was changed.',
    next: 'Ask whoever runs your practice’s service.',
  },
  'consent-missing': {
    happened: 'Not everyone present has agreed to this.',
    kept: 'Nothing was recorded, written or sent.',
    next: 'Ask for consent under Consent and audio, or take notes by hand.',
  },
  'microphone-denied': {
    happened: 'Your computer doesn’t let Afterword use the microphone.',
    kept: 'Nothing was recorded.',
    next: 'Allow the microphone for Afterword in the system’s privacy settings, then start Afterword again.',
  },
  'not-found': {
    happened: 'There is nothing at this address.',
    kept: 'Your other records are as they were.',
    next: 'It may have been erased. Go back and look in the list.',
  },
  'method-not-allowed': {
    happened: 'The service does not take that.',
    kept: 'Nothing was changed.',
    next: 'The service may be of another version than this app.',
  },
  conflict: {
    happened: 'This does not fit with what is already there.',
    kept: 'What was there before is unchanged.',
    next: 'Look at how it stands now, then decide again.',
  },
  'already-exists': {
    happened: 'This is already there.',
    kept: 'The one that was there is unchanged.',
    next: 'Open it instead of adding it again.',
  },
  'double-booking': {
    happened: 'This time is already taken.',
    kept: 'The other session is unchanged.',
    next: 'Choose another time.',
  },
  'still-running': {
    happened: 'This is still being worked on.',
    kept: 'Nothing is lost, and it goes on.',
    next: 'Wait a moment.',
  },
  gone: {
    happened: 'This was erased.',
    kept: 'The receipt of the erasing is kept.',
    next: 'It cannot be brought back.',
  },
  'stale-version': {
    happened: 'This was changed in the meantime.',
    kept: 'The newer version is kept, and what you typed is still here.',
    next: 'Look at the newer version, then save again.',
  },
  'too-large': {
    happened: 'This is larger than can be taken.',
    kept: 'Nothing was changed.',
    next: 'Take a smaller file or a shorter text.',
  },
  'unsupported-media': {
    happened: 'This kind of file cannot be read.',
    kept: 'Nothing was changed.',
    next: 'A transcript can be a txt, vtt, srt or json file.',
  },
  'idempotency-mismatch': {
    happened: 'The service took this for something it had already received.',
    kept: 'The first version it received is kept.',
    next: 'Do it once more.',
  },
  'already-signed': {
    happened: 'The note is signed and does not change.',
    kept: 'The signed note is as it was.',
    next: 'Add an addendum to say something more.',
  },
  'version-required': {
    happened: 'The service could not tell which version was meant.',
    kept: 'Nothing was changed.',
    next: 'Open it again and repeat your change.',
  },
  'quota-exceeded': {
    happened: 'Your practice’s requests for today are used up.',
    kept: 'Everything is saved on this laptop and waits in the outbox.',
    next: 'It is sent by itself tomorrow.',
  },
  internal: {
    happened: 'Something went wrong inside Afterword.',
    kept: 'What was saved before is safe.',
    next: 'Try it once more. If it stays so, lock and open the records again.',
  },
  'engine-not-ready': {
    happened: 'What this needs is not set up, or not ready.',
    kept: 'Your recording and transcript are safe.',
    next: 'Look in Settings under Recording, for transcripts, or Draft writer, for drafts. It begins by itself once it is ready.',
  },
  'engine-failed': {
    happened: 'The engine could not finish this.',
    kept: 'Your recording and transcript are safe.',
    next: 'Try it again; if it stays so, test the speech server in Settings.',
  },
  'engine-unusable': {
    happened: 'What the model answered could not be used.',
    kept: 'Your recording, your transcript and any draft you had are as they were.',
    next: 'Write the draft without AI, or choose another model in Settings: small ones often cannot keep to the form of a note.',
  },
  'engine-refused': {
    happened: 'The model declined to write this.',
    kept: 'Your recording, your transcript and any draft you had are as they were.',
    next: 'Write the draft without AI, or choose another model in Settings.',
  },
  'service-unreachable': {
    happened: 'The service cannot be reached.',
    kept: 'Everything is saved on this laptop and waits in the outbox.',
    next: 'It is sent by itself when the service answers again.',
  },
  cancelled: {
    happened: 'This was stopped.',
    kept: 'What was there before is unchanged.',
    next: 'Start it again when you like.',
  },
  'vault-locked': {
    happened: 'The records are locked.',
    kept: 'Everything was saved first.',
    next: 'Unlock them to go on.',
  },
  'vault-exists': {
    happened: 'There are already records on this laptop.',
    kept: 'They are untouched.',
    next: 'Open them instead of setting up new ones.',
  },
  'wrong-passphrase': {
    happened: 'This passphrase does not open the records.',
    kept: 'The records are untouched.',
    next: 'Check the keyboard layout and capital letters, or use your recovery code.',
  },
  'wrong-recovery-code': {
    happened: 'This recovery code does not open the records.',
    kept: 'The records are untouched.',
    next: 'Compare it with your printed code; spaces and small letters do not matter.',
  },
  'passphrase-too-short': {
    happened: 'The passphrase needs at least 12 characters.',
    kept: 'What you typed is still here.',
    next: 'A few words in a row are easy to remember.',
  },
  'keychain-locked': {
    happened: 'The system keychain is locked.',
    kept: 'Your records are safe and closed.',
    next: 'Unlock the keychain of this computer, then try again.',
  },
  'keychain-unavailable': {
    happened: 'This system offers no keychain.',
    kept: 'Nothing was written in the open instead.',
    next: 'Use a passphrase, or start the keychain of this computer and try again.',
  },
  'key-gone': {
    happened: 'The key to these records is no longer in the keychain.',
    kept: 'The records themselves are still here, locked.',
    next: 'Open them with your recovery code.',
  },
  'keys-missing': {
    happened: 'The files that unlock your records are missing or damaged.',
    kept: 'The records themselves are still here, encrypted.',
    next: 'Put vault.json back from a copy of your data folder, then try again.',
  },
  'keys-mismatch': {
    happened: 'The key opens no part of the records in your data folder.',
    kept: 'Nothing was changed.',
    next: 'Put vault.json, vault.db and service.db of the same data folder back, then try again.',
  },
  'database-damaged': {
    happened: 'A file with your records is damaged.',
    kept: 'Afterword deleted nothing.',
    next: 'Lock Afterword and unlock it: Afterword repairs what it can each time it opens your records.',
  },
  'database-newer': {
    happened: 'The records were written by a newer version of Afterword.',
    kept: 'They are untouched.',
    next: 'Install the newer version to open them.',
  },
  'database-mismatch': {
    happened: 'A test version of Afterword wrote these records in a form that this version doesn’t know.',
    kept: 'Your records are unchanged.',
    next: 'Open the records with the version that wrote them.',
  },
  'not-encrypted': {
    happened: 'The records would not be encrypted, so Afterword did not open them.',
    kept: 'Nothing was written.',
    next: 'Install Afterword anew; a part of it is missing.',
  },
  'profile-in-use': {
    happened: 'Afterword is already open with these records.',
    kept: 'They are untouched by this second window.',
    next: 'Go on in the other window, or close it and try again.',
  },
  'recording-not-open': {
    happened: 'This recording is not open.',
    kept: 'All that was saved of it is kept.',
    next: 'Take it up again from the session.',
  },
  'recording-active': {
    happened: 'Another recording is running.',
    kept: 'It goes on.',
    next: 'End it first.',
  },
  'sequence-gap': {
    happened: 'Sound arrived out of order.',
    kept: 'What was saved is kept, and the missing part is sent again.',
    next: 'Nothing to do.',
  },
  'disk-full': {
    happened: 'The disk is full.',
    kept: 'Everything saved so far is kept.',
    next: 'Make room on the disk, then try again.',
  },
  'disk-failed': {
    happened: 'The disk could not be written.',
    kept: 'What was saved before is kept.',
    next: 'Check the disk and its permissions, then try again.',
  },
  'recording-damaged': {
    happened: 'Part of this recording cannot be read.',
    kept: 'All the rest of it plays.',
    next: 'The missing part is marked where it was.',
  },
  'download-failed': {
    happened: 'The model could not be fetched.',
    kept: 'What arrived so far is kept.',
    next: 'Look whether you are online, then go on with it.',
  },
  'model-mismatch': {
    happened: 'What arrived is not the model.',
    kept: 'Nothing of it was kept, and nothing else was touched.',
    next: 'A network that asks you to sign in first may have answered instead. Sign in there, then try again.',
  },
  'voice-unclear': {
    happened: 'Too little of one voice was heard, or more than one.',
    kept: 'Nothing of it was kept. What was kept of your voice before stays.',
    next: 'Read the paragraph again, aloud, near the microphone, where nobody else speaks.',
  },
  'model-unknown': {
    happened: 'These files are no model that is known.',
    kept: 'They are untouched, and nothing was copied.',
    next: 'Choose the folder that holds the files as their source publishes them.',
  },
  'model-damaged': {
    happened: 'A file of this speech model was changed since it was installed.',
    kept: 'It was not loaded. Your recordings are safe.',
    next: 'Remove the model in Settings and install it again.',
  },
  'model-in-use': {
    happened: 'A transcript is being written, perhaps with this model.',
    kept: 'It goes on, and the model stays.',
    next: 'Wait until it is done, or stop the transcript in its session first.',
  },
  'import-unreadable': {
    happened: 'This file is not a transcript that can be read.',
    kept: 'Nothing was changed.',
    next: 'Choose a txt, vtt, srt or json file, or paste the words by hand.',
  },
  'nothing-said': {
    happened: 'There are no words yet to draft from.',
    kept: 'The recording and the session are as they were.',
    next: 'Check the transcript, or write the note by hand.',
  },
  'not-ready-to-sign': {
    happened: 'Some statements still need your eye.',
    kept: 'The draft is saved.',
    next: 'Look at the marked statements, then sign.',
  },
}
