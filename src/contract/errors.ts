/**
 * The complete list of expected failures. The bridge and the service's problem details carry the code. The service adds `title`
 * for people; the renderer shows its own words for each code.
 */
interface ErrorKind {
  /** HTTP status when the service answers with it. 460 is from tus 1.0 (checksum); the others are registered with IANA. */
  readonly status: number
  /** True if the same call may succeed later without changes. */
  readonly retryable: boolean
  /** A sentence that a person can act on. It holds no value, name or path. */
  readonly title: string
}

export const errorKinds = {
  // requests
  'bad-request': { status: 400, retryable: false, title: 'The request could not be read.' },
  'validation-failed': { status: 422, retryable: false, title: 'Some fields need another value.' },
  unauthenticated: { status: 401, retryable: false, title: 'A valid key is needed.' },
  'too-many-refusals': { status: 429, retryable: true, title: 'Too many calls without a valid key came from this address.' },
  'sign-in-not-offered': { status: 404, retryable: false, title: 'This service offers no sign-in; it takes keys.' },
  'sign-in-unavailable': { status: 503, retryable: true, title: 'The sign-in service cannot be asked right now.' },
  forbidden: { status: 403, retryable: false, title: 'This role may not do that.' },
  'purpose-missing': {
    status: 403,
    retryable: false,
    title: 'This is beyond your own caseload. Say what it is read for (Purpose-Of-Use).',
  },
  'consent-missing': { status: 403, retryable: false, title: 'Not everyone present has agreed to this.' },
  'not-found': { status: 404, retryable: false, title: 'There is no such record.' },
  'method-not-allowed': { status: 405, retryable: false, title: 'This address does not take that method.' },
  conflict: { status: 409, retryable: false, title: 'This does not fit with what is already there.' },
  'already-exists': { status: 409, retryable: false, title: 'A record with this id is already there.' },
  'double-booking': { status: 409, retryable: false, title: 'This time is already taken.' },
  'still-running': { status: 409, retryable: true, title: 'The same request is still being worked on.' },
  gone: { status: 410, retryable: false, title: 'This was erased.' },
  'stale-version': { status: 412, retryable: false, title: 'This was changed in the meantime.' },
  'too-large': { status: 413, retryable: false, title: 'This is larger than can be taken.' },
  'unsupported-media': { status: 415, retryable: false, title: 'This kind of file or body cannot be read.' },
  'idempotency-mismatch': { status: 422, retryable: false, title: 'This key was used for another request.' },
  'legal-hold': { status: 409, retryable: false, title: 'A legal hold keeps this from being erased.' },
  'not-yet-due': { status: 409, retryable: false, title: 'The years this has to be kept are not over.' },
  'already-signed': { status: 423, retryable: false, title: 'The note is signed and does not change. Add an addendum.' },
  // uploads, event streams, quotas, engines and the service
  'upload-moved-on': {
    status: 409,
    retryable: true,
    title: 'The upload goes on at another place. Ask where (HEAD) and go on there.',
  },
  'tus-version': { status: 412, retryable: false, title: 'Uploads are taken by tus 1.0.0; say so (Tus-Resumable).' },
  'checksum-mismatch': { status: 460, retryable: true, title: 'What arrived is not what was sent. Send it again.' },
  'too-many-uploads': { status: 429, retryable: true, title: 'Too many uploads are open. Finish or remove one first.' },
  'too-many-bytes': { status: 429, retryable: true, title: 'More was sent than is taken at once. Wait, and go on.' },
  'too-many-streams': { status: 429, retryable: true, title: 'Too many streams are followed at once. End one first.' },
  'too-many-operations': {
    status: 429,
    retryable: true,
    title: 'Too much of this person’s work is waiting already. Ask again when some of it is done.',
  },
  'cursor-expired': {
    status: 410,
    retryable: false,
    title: 'This cursor is too old. Read everything anew and go on from there.',
  },
  'practice-moved': { status: 421, retryable: true, title: 'This service does not answer for this practice right now.' },
  'storage-unreachable': { status: 503, retryable: true, title: 'The store for audio cannot be reached.' },
  'version-required': { status: 428, retryable: false, title: 'Say which version you are changing (If-Match).' },
  'quota-exceeded': { status: 429, retryable: true, title: 'The day’s requests are used up.' },
  internal: { status: 500, retryable: false, title: 'Something went wrong inside the service.' },
  'engine-not-ready': { status: 503, retryable: false, title: 'No engine for this is set up.' },
  'engine-failed': { status: 502, retryable: true, title: 'The engine could not finish this.' },
  'engine-unusable': { status: 502, retryable: false, title: 'What the model answered could not be used.' },
  'engine-refused': { status: 502, retryable: false, title: 'The model declined to write this.' },
  'payer-unavailable': { status: 503, retryable: true, title: 'The payer does not answer at the moment.' },
  'network-metered': { status: 503, retryable: true, title: 'This network is metered. Sound waits for another one.' },
  'service-unreachable': { status: 503, retryable: true, title: 'The service cannot be reached.' },
  'not-offered': { status: 501, retryable: false, title: 'This service does not offer that.' },
  'client-not-there': { status: 409, retryable: false, title: 'The service does not know this client, and takes no new ones.' },
  'template-not-offered': { status: 409, retryable: false, title: 'This service writes notes in the standard forms alone.' },
  cancelled: { status: 409, retryable: false, title: 'This was stopped.' },
  // vault
  'vault-locked': { status: 423, retryable: true, title: 'The records are locked.' },
  'vault-exists': { status: 409, retryable: false, title: 'There are already records in this folder.' },
  'wrong-passphrase': { status: 401, retryable: false, title: 'The passphrase does not open these records.' },
  'wrong-recovery-code': { status: 401, retryable: false, title: 'The recovery code does not open these records.' },
  'passphrase-too-short': { status: 422, retryable: false, title: 'The passphrase needs at least 12 characters.' },
  'keychain-locked': { status: 423, retryable: true, title: 'The system keychain is locked.' },
  'keychain-unavailable': { status: 503, retryable: true, title: 'This system offers no keychain.' },
  'key-gone': { status: 410, retryable: false, title: 'The key to these records is no longer in the keychain.' },
  'keys-missing': { status: 410, retryable: false, title: 'The files that unlock these records are missing or damaged.' },
  'keys-mismatch': { status: 409, retryable: false, title: 'The key opens no part of the records in this folder.' },
  'database-damaged': { status: 500, retryable: false, title: 'The records are damaged.' },
  'database-newer': { status: 409, retryable: false, title: 'The records were written by a newer version of Afterword.' },
  'database-mismatch': {
    status: 409,
    retryable: false,
    title: 'The records were written by a release of Afterword that this one cannot continue.',
  },
  'not-encrypted': {
    status: 500,
    retryable: false,
    title: 'The records would not be encrypted, so Afterword will not open them.',
  },
  'profile-in-use': { status: 409, retryable: true, title: 'Afterword is already open with these records.' },
  // recording
  'microphone-denied': { status: 403, retryable: false, title: 'The system does not let Afterword use the microphone.' },
  'recording-not-open': { status: 409, retryable: true, title: 'This recording is not open.' },
  'recording-active': { status: 409, retryable: false, title: 'Another recording is running.' },
  'sequence-gap': { status: 409, retryable: true, title: 'Sound arrived out of order.' },
  'disk-full': { status: 507, retryable: false, title: 'The disk is full. Everything recorded so far is kept.' },
  'disk-failed': { status: 500, retryable: true, title: 'The disk could not be written.' },
  'recording-damaged': { status: 500, retryable: false, title: 'Part of this recording cannot be read.' },
  // models and voices
  'voice-unclear': { status: 422, retryable: false, title: 'Too little of one voice was heard.' },
  'download-failed': { status: 502, retryable: true, title: 'The model could not be fetched. What arrived so far is kept.' },
  'model-mismatch': { status: 502, retryable: false, title: 'What arrived is not the model. Nothing of it was kept.' },
  'model-unknown': { status: 422, retryable: false, title: 'These files are no model that is known.' },
  'model-damaged': { status: 409, retryable: false, title: 'A file of this model was changed since it was installed.' },
  'model-in-use': { status: 409, retryable: true, title: 'This model is at work.' },
  // transcript and note
  'import-unreadable': { status: 422, retryable: false, title: 'This file is not a transcript that can be read.' },
  'nothing-said': { status: 422, retryable: false, title: 'There is nothing said to draft from.' },
  'not-ready-to-sign': { status: 409, retryable: false, title: 'Safety statements of the note are not confirmed.' },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorKinds

/** One wrong field. `pointer` is a JSON Pointer (RFC 6901); `message` never repeats the value. */
export interface FieldProblem {
  readonly pointer: string
  readonly code: string
  readonly message: string
}

/** An expected failure. Any other error that is thrown is a bug. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  /** A more specific sentence than the title of the code. It holds nothing clinical and no value of the request. */
  readonly detail: string | undefined
  readonly fields: readonly FieldProblem[]
  /** Seconds to wait after the answer before trying again; undefined if the service named none. */
  readonly retrySeconds: number | undefined

  constructor(
    code: ErrorCode,
    detail?: string,
    fields: readonly FieldProblem[] = [],
    options?: { cause?: unknown; retrySeconds?: number | undefined },
  ) {
    super(detail ?? errorKinds[code].title, options)
    this.code = code
    this.detail = detail
    this.fields = fields
    this.retrySeconds = options?.retrySeconds
  }

  get retryable(): boolean {
    return errorKinds[this.code].retryable
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorKinds, value)
}
