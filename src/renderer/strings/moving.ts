import type { MovedKind, MovingDifference, MovingLook, MovingState, ServiceKeyState } from '#contract/bridge/moving.ts'
import { formatDate, formatDayTime } from './time.ts'
import { errorSentences } from './errors.ts'
import { isErrorCode } from '#contract/errors.ts'
import { listOfNames, plural } from './plural.ts'

const hostOf = (address: string | null): string => (address === null ? 'this laptop' : new URL(address).host)

export const movingStrings = {
  title: 'Move to your practice’s service',
  text: 'All your clients, sessions, consents, transcripts and notes go there and are compared, one by one. Until you confirm, everything stays as it is, and you can go on working.',
  address: 'Address of the service',
  addressHelp: 'Given by your practice, ending in /v1.',
  key: 'Key',
  keyHelp: 'For this laptop alone. It stands in the keychain of this computer and nowhere else.',
  look: 'See what would move',
  looking: 'Asking…',
  signIn: 'Sign in in the browser instead',
  signInWaiting: 'Go on in your browser. This page notices when you are through.',
  needsBoth: 'The service asks for a key, or for you to sign in.',
  send: 'Send everything',
  sending: 'Sending…',
  notNow: 'Not now',
  giveUp: 'Give up the move',
  givingUp: 'Giving up…',
  confirm: (state: MovingState): string => (state.address === null ? 'Move back now' : 'Move now'),
  confirming: 'Moving…',
  leaveAndMove: 'Move, and leave these as they are',
  again: 'Try these again',
  over: 'Change them there to what is here',
  useAnyway: 'Use it without moving',
  useAnywayText: 'What it does not keep stays on this laptop, and works as before.',
  newKey: 'Another key',
  useKey: 'Go on with this key',
  work: 'You can go on working. What you change meanwhile is sent too.',
  giveUpText: (host: string): string =>
    `Given up, everything stays here. What was sent to ${host} until then stays there as well.`,
  confirmText: (state: MovingState): string =>
    state.address === null
      ? 'Once you have moved back, everything is kept on this laptop alone. What the practice has stays there.'
      : 'Once you have moved, your practice’s service keeps your records, and this laptop works with it. To come back, everything is sent back in the same way.',
  differences: 'Not there as they are here',
  more: (count: number): string => plural(count, 'and # more', 'and # more'),
  leaveText:
    'Left as they are, what was changed there comes here, or is asked about where you changed it too. What could not be sent waits in the outbox.',
  back: {
    title: 'Back to this laptop',
    text: 'Everything is sent back to this laptop and compared, one by one. Until you confirm, your practice’s service stays the one.',
    look: 'See what would move back',
  },
  oldStore: {
    title: 'The copy from before the move',
    kept: 'The service inside this app still has your records as they were when you moved. They are encrypted, and nothing uses them. Authorisations of payers that your practice’s service did not take are in this copy alone.',
    erase: 'Erase the copy',
    erasing: 'The copy is erased when Afterword opens your records next.',
  },
  other: {
    title: 'Another address',
    text: 'For a service that has moved to another address and is still the same.',
  },
} as const

export function movingPlaces(state: MovingState | undefined): string | null {
  if (state?.phase !== 'sending' && state?.phase !== 'checked') return null
  return state.address === null
    ? 'Your practice’s service keeps your records until you confirm the move back. They are being sent to this laptop.'
    : `This laptop keeps your records until you confirm the move. They are being sent to ${hostOf(state.address)}.`
}

export function movingHeading({ address }: MovingState): string {
  return address === null ? movingStrings.back.title : `Moving to ${hostOf(address)}`
}

export function movingPerson({ person, practice }: MovingLook, address: string | null): string | null {
  if (address === null || person === null) return null
  const roles = person.roles.map((role) => (role === 'front_desk' ? 'front desk' : role))
  const who = person.name === null ? 'You are known there' : `You are ${person.name} there`
  return `${who}, as ${listOfNames(roles)} of ${practice === '' ? 'the practice' : practice}.`
}

export function movingCounts({ send }: MovingLook): string {
  const parts = [
    plural(send.clients, '# client', '# clients'),
    plural(send.sessions, '# session', '# sessions'),
    plural(send.consents, '# consent', '# consents'),
    plural(send.transcripts, '# transcript', '# transcripts'),
    `${plural(send.notes, '# note', '# notes')} (${send.signed_notes} signed, with ${plural(send.addenda, '# addendum', '# addenda')})`,
    ...(send.templates > 0 ? [plural(send.templates, '# note form of your own', '# note forms of your own')] : []),
  ]
  const recordings =
    send.recordings > 0
      ? ` ${plural(send.recordings, '# recording is', '# recordings are')} written down there after the move.`
      : ''
  return `${listOfNames(parts)} will be sent. Signed notes arrive as they were signed.${recordings}`
}

const problems: Readonly<Record<MovingLook['problems'][number]['code'], (look: MovingLook) => string>> = {
  'published-only': () => 'This service takes no records to keep: it has no place for your clients and notes.',
  'offers-too-little': () => 'This service does not keep all that you have. It may be of an older version than this app.',
  'person-unknown': () => 'This service does not say whose key this is. It has to be brought to a newer version first.',
  role: () => 'Whoever this key is for treats nobody there. Ask your practice for a key with the role of a clinician.',
  'test-key': () => 'This key is for trying out. Ask your practice for a live one.',
  'consents-say-laptop': ({ laptop_consents }) =>
    `${plural(laptop_consents, '# agreement was', '# agreements were')} given to words that say everything stays on this laptop. Tell these clients where their records will be kept, and ask them again.`,
  'consent-asserted': () =>
    'This service takes your word that consent was given; it does not look itself. This app goes on asking.',
  'others-there': ({ there }) =>
    `${plural(there.others, '# client', '# clients')} of others ${there.others === 1 ? 'is' : 'are'} there already${there.more ? ', and more' : ''}. They stay as they are.`,
  'sent-before': ({ there }) =>
    `${plural(there.ours, '# of your clients is', '# of your clients are')} there from an earlier attempt. Nothing is sent twice.`,
  'takes-days': ({ days }) =>
    `The plan of your practice allows so many calls a day that this takes ${plural(days, '# day', '# days')}. Part of them is left to your colleagues. It goes on by itself.`,
  'key-ends': ({ key_ends_at }) =>
    `The key ends on ${formatDate(key_ends_at ?? '')}, before everything is sent. Ask your practice for one that is good for longer.`,
  'hours-kept': () => 'Working hours of yours are there already. Those stay.',
  'authorisations-stay': () =>
    'This service does not keep what payers approved. Those authorisations stay in the service inside this app. Write them down before you erase its copy.',
}

export const movingProblem = (code: keyof typeof problems, look: MovingLook): string => problems[code](look)

export function movingProgress({ total, sent, checked }: MovingState): string {
  return sent < total
    ? `${sent} of ${plural(total, '# record', '# records')} sent`
    : `${checked} of ${plural(total, '# record', '# records')} compared`
}

export function movingWaiting(waiting: NonNullable<MovingState['waiting']>): string {
  if (waiting.reason === 'quota') {
    const when = waiting.until === null ? 'tomorrow' : formatDayTime(waiting.until)
    return `The practice’s calls of this day are used up. It goes on ${when}.`
  }
  if (waiting.reason === 'key') return 'The service takes the key no more. With another one it goes on from where it is.'
  return 'The service cannot be reached. It goes on by itself once it can.'
}

export function movingResult({ total, differing }: MovingState): string {
  if (differing === 0) return `Everything is there as it is here: ${plural(total, '# record', '# records')} compared.`
  return `${plural(total - differing, '# record is', '# records are')} there as they are here. ${plural(differing, '# is not.', '# are not.')}`
}

const kindNames: Readonly<Record<MovedKind, string>> = {
  template: 'Note form',
  hours: 'Working hours',
  authorisation: 'Payer authorisation',
  client: 'Details',
  consent: 'Consent',
  session: 'Session',
  transcript: 'Transcript',
  note: 'Note',
}

const fieldNames: Readonly<Record<string, string>> = {
  display_name: 'name',
  given_name: 'given name',
  family_name: 'family name',
  date_of_birth: 'date of birth',
  starts_at: 'start',
  duration_minutes: 'length',
  clinician_id: 'clinician',
  content: 'words',
  revoked_at: 'withdrawal',
  session_type: 'kind of session',
  time_zone: 'time zone',
}

export function differenceTitle({ kind, client_name, session_at }: MovingDifference, nameOf: (name: string) => string): string {
  const of = client_name === null ? '' : ` of ${nameOf(client_name)}`
  const at = session_at === null ? '' : `, ${formatDayTime(session_at)}`
  return `${kindNames[kind]}${of}${at}`
}

export function differenceText({ code, fields }: MovingDifference): string {
  if (code === 'parent-missing') return 'It waits for the record above it.'
  if (code === 'signed-over-erased')
    return 'It is signed, and words it was signed with were erased since, so no other service can check the signature. It stays on this laptop as it is.'
  if (code === 'differs')
    return `Somebody changed it there: ${listOfNames(fields.map((name) => fieldNames[name] ?? name.replaceAll('_', ' ')))}.`
  return isErrorCode(code) ? errorSentences[code].happened : 'It could not be sent.'
}

export function undoneText({ address, sent }: MovingState): string {
  const what = plural(sent, '# record was', '# records were')
  const rest =
    sent === 0
      ? ''
      : ` ${what} sent to ${hostOf(address)} until then and ${sent === 1 ? 'is' : 'are'} still there. Whoever runs it can erase them.`
  return `The move was given up. Everything is on this laptop as before.${rest}`
}

export function serviceKeyText({ state, ends_at, renews }: ServiceKeyState, text: string): string {
  if (state === 'revoked')
    return 'The service takes this key no more, so nothing is sent. Your work is safe on this laptop. Ask your practice for another key and enter it here.'
  if (ends_at === null) return text
  return renews
    ? `${text} It is good until ${formatDate(ends_at)} and is renewed by itself before.`
    : `${text} It ends on ${formatDate(ends_at)}. Ask your practice for another one before.`
}
