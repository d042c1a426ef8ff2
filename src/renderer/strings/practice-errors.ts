import type { ErrorCode } from '#contract/errors.ts'
import type { ErrorSentence } from './errors.ts'

export const practiceErrorSentences = {
  'too-many-refusals': {
    happened: 'The service was called too often without a key it knows.',
    kept: 'Your records on this laptop are safe and everything else works.',
    next: 'Check the key in Settings; the service listens again in a minute.',
  },
  'sign-in-not-offered': {
    happened: 'Your practice’s service offers no sign-in.',
    kept: 'Nothing was changed.',
    next: 'Ask whoever runs it for a key and enter that.',
  },
  'sign-in-unavailable': {
    happened: 'The practice’s sign-in service does not answer.',
    kept: 'Your records on this laptop are safe, and the app tries again by itself.',
    next: 'If it stays so, ask whoever runs your practice’s service.',
  },
  'purpose-missing': {
    happened: 'This client is treated by a colleague.',
    kept: 'Nothing was shown, and nothing was changed.',
    next: 'Ask your colleague, or whoever runs your practice’s service.',
  },
  'legal-hold': {
    happened: 'A legal hold keeps this from being erased.',
    kept: 'Nothing was erased.',
    next: 'It can be erased once the practice’s owner has released the hold.',
  },
  'not-yet-due': {
    happened: 'The years this note has to be kept are not over.',
    kept: 'The note is as it was.',
    next: 'It can be erased when they are.',
  },
  'payer-unavailable': {
    happened: 'The payer does not answer at the moment.',
    kept: 'What it said before stands as it was.',
    next: 'Check again in a few minutes, or call the payer.',
  },
  'upload-moved-on': {
    happened: 'The audio was being sent from two places.',
    kept: 'What arrived is kept, and the recording is safe on this laptop.',
    next: 'It goes on by itself from where it stands.',
  },
  'tus-version': {
    happened: 'The service takes audio in another way than this app sends it.',
    kept: 'The recording is safe on this laptop.',
    next: 'Bring the app and the service to the same version.',
  },
  'checksum-mismatch': {
    happened: 'The audio arrived damaged.',
    kept: 'The recording is safe on this laptop.',
    next: 'It is sent again by itself.',
  },
  'too-many-uploads': {
    happened: 'The practice has too much audio on its way at once.',
    kept: 'The recording is safe on this laptop.',
    next: 'It is sent once other audio has been transcribed.',
  },
  'too-many-operations': {
    happened: 'Too many of your drafts and analyses are waiting at the practice server.',
    kept: 'Your records on this laptop are safe and everything else works.',
    next: 'Afterword will send this one again when some of them are done.',
  },
  'too-many-bytes': {
    happened: 'Afterword sent more than your service takes at once.',
    kept: 'Your records and recordings are safe on this laptop.',
    next: 'Afterword will send the rest in a few minutes.',
  },
  'too-many-streams': {
    happened: 'The service is followed from too many places at once.',
    kept: 'Your records on this laptop are safe and everything else works.',
    next: 'Close Afterword where you do not need it; it goes on by itself.',
  },
  'cursor-expired': {
    happened: 'This laptop was away for longer than the service remembers what changed.',
    kept: 'Everything on this laptop is as it was.',
    next: 'All records are fetched anew.',
  },
  'not-offered': {
    happened: 'Your service does not offer this.',
    kept: 'What you have on this laptop stays here, and everything else works.',
    next: 'Settings, under Your practice, says what your service keeps.',
  },
  'client-not-there': {
    happened: 'Your service does not know this client, and takes no new ones from here.',
    kept: 'The client, the sessions and all that is said in them are safe on this laptop.',
    next: 'Ask your practice to add the client there, or write this note yourself.',
  },
  'template-not-offered': {
    happened: 'Your service writes notes in the standard forms alone.',
    kept: 'Your own form is safe on this laptop.',
    next: 'Choose a standard form, such as SOAP, and draft again.',
  },
  'network-metered': {
    happened: 'This network is metered, so the recording is not sent over it.',
    kept: 'It is safe on this laptop, and everything else is sent.',
    next: 'It goes by itself over another network. To send it now, allow metered networks in Settings.',
  },
  'practice-moved': {
    happened: 'Your practice is moving to another server, or has moved already.',
    kept: 'Everything you write stays on this laptop until it can be sent.',
    next: 'Wait a few minutes. If it keeps happening, ask the person who runs your practice’s server for its address.',
  },
  'storage-unreachable': {
    happened: 'The service cannot reach the place where it keeps audio.',
    kept: 'The recording is safe on this laptop.',
    next: 'Try again later; if it stays so, tell whoever runs your practice’s service.',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorSentence>>
