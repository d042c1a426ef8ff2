import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { listOfNames, plural, pluralSentence } from './plural.ts'

export const clientsStrings = {
  title: 'Clients',
  list: 'Clients',
  add: 'Add a client',
  filter: 'Filter by name',
  archived: 'Show archived',
  notFound: { title: 'Nobody by that name.', text: 'Check the spelling, or add the person.' },
  none: { title: 'No clients yet.', text: 'Add the first person you see.' },
  choose: { title: 'Choose a client.', text: 'Sessions, consent and details stand here.' },
  back: 'All clients',
  row: {
    next: (when: string): string => when,
    unsigned: (count: number): string => plural(count, '# note to sign', '# notes to sign'),
    noConsent: 'No recording consent',
    last: (when: string): string => `Last seen ${when}`,
    new: 'No session yet',
    sessions: (count: number): string => plural(count, '# session', '# sessions'),
    archived: 'Archived',
  },
  head: {
    since: (month: string): string => `with you since ${month}`,
    sessions: (count: number): string => plural(count, '# session', '# sessions'),
    age: (years: number): string => `age ${years}`,
    start: 'Start session',
    newSession: 'New session',
  },
  tabs: {
    label: 'About this client',
    overview: 'Overview',
    sessions: 'Sessions',
    consent: 'Consent',
    coverage: 'Coverage',
    details: 'Details',
  },
  overview: {
    next: 'Next session',
    nextNone: 'None planned',
    nextNoneText: 'Add one when you agree on a time.',
    last: 'Last session',
    lastNone: 'None yet',
    consent: 'Consent',
    consentGiven: 'Given for recording',
    consentNone: 'Not given for recording',
    consentNoneText: 'The microphone stays closed.',
    notes: 'Notes',
    notesSigned: (count: number): string => plural(count, '# signed', '# signed'),
    notesNone: 'None yet',
    notesLost: (count: number): string => pluralSentence(count, '# note is lost.', '# notes are lost.'),
    notesOpen: (count: number): string =>
      count === 0 ? 'Nothing is left to sign.' : plural(count, '# is left to sign.', '# are left to sign.'),
    sessions: 'Sessions',
    allSessions: 'All sessions',
    noSessions: { title: 'No sessions yet.', add: 'Add the first one' },
    agreed: (name: string): string => `${name} agreed to`,
    kept: (name: string): string => `Kept about ${name}`,
    keptNotes: 'Signed notes',
    keptTranscripts: 'Transcripts',
    keptRecordings: 'Recordings',
    noneKept: 'none',
    changeConsent: 'Consent and its history',
  },
  sessions: {
    label: 'Sessions, newest first',
    minutes: (minutes: number): string => `${minutes} min`,
  },
  consent: {
    ask: 'Ask for consent',
    lead: 'Each thing is agreed to on its own, and can be withdrawn at any time.',
    now: 'In force now',
    history: 'History',
    noHistory: 'Nothing was agreed to yet.',
    given: (method: string, date: string): string => `${method}, ${date}`,
    withdrawn: (date: string): string => `withdrawn ${date}`,
    by: (name: string, role: string): string => (role === '' ? name : `${name}, ${role}`),
    withdraw: 'Withdraw…',
    notAgreed: 'not agreed',
    dialog: {
      title: (name: string): string => `Ask ${name} for consent`,
      lead: 'Read it aloud, then tick what was agreed to. What is not ticked stays off.',
      read: 'To read aloud',
      who: 'Who agrees',
      whoClient: 'The client',
      whoOther: 'Somebody else in the room',
      otherName: 'Their name',
      otherRole: 'Who they are',
      agreed: 'Agreed to',
      how: 'How it was given',
      give: 'Keep this consent',
      giving: 'Keeping…',
      cancel: 'Not now',
      nothing: 'Tick at least one thing that was agreed to.',
      nameMissing: 'A name is needed for the record.',
      done: (name: string): string => `The consent of ${name} is kept.`,
    },
    withdrawDialog: {
      title: (name: string): string => `Withdraw the consent of ${name}?`,
      lead: 'A running recording of this client stops at once. What was recorded until now stays until you decide about it.',
      keep: 'Keep the consent',
      withdraw: 'Withdraw consent',
      withdrawing: 'Withdrawing…',
      done: 'The consent is withdrawn.',
    },
  },
  form: {
    titleNew: 'Add a client',
    titleEdit: 'Details',
    name: 'Name',
    nameHelp: 'As you want to see it in lists',
    nameMissing: 'A name is needed.',
    called: 'First name for drafts',
    calledHelp: 'Drafts say it now and then. Empty: “the client”.',
    pronouns: 'Pronouns',
    pronounsHelp: 'As the client says them, for example she/her',
    diagnoses: 'Diagnoses',
    diagnosesHelp: 'One a line, the code first: F43.22 Adjustment disorder with anxiety',
    diagnosesWrong: 'Begin each line with its code, for example F43.22.',
    goals: 'Goals of the treatment',
    goalsHelp: 'One a line. Insights say where each was spoken of.',
    vocabulary: 'Names and words that come up',
    vocabularyHelp: 'One a line. They help a speech engine to hear them.',
    card: 'Insurance card',
    cardHelp: 'As it stands on the card. Left empty where there is none.',
    familyName: 'Last name on the card',
    familyNameHelp: 'A payer finds nobody without it.',
    payerName: 'Payer',
    payerNameMissing: 'A card needs the name of its payer.',
    payerId: 'Payer id',
    payerIdHelp: 'Five letters or digits, often on the back: 87726',
    payerIdWrong: 'A payer id has 2 to 80 letters and digits, without spaces.',
    payerIdMissing: 'A card needs the id of its payer; it is often on the back.',
    memberId: 'Member id',
    memberIdMissing: 'A card needs a member id.',
    memberIdWrong: 'A member id has 2 to 80 letters, digits and hyphens.',
    groupNumber: 'Group number',
    relationship: 'Whose plan it is',
    relationships: { self: 'The client’s own', spouse: 'A spouse’s', child: 'A parent’s', other: 'Somebody else’s' },
    born: 'Date of birth',
    bornWrong: 'This is not a date that can be.',
    phone: 'Phone',
    email: 'E-mail',
    emailWrong: 'An e-mail address has a name, @ and a place, without spaces.',
    save: 'Save changes',
    saving: 'Saving…',
    saved: 'Details saved.',
    create: 'Add client',
    creating: 'Adding…',
    cancel: 'Cancel',
    archive: 'Archive',
    unarchive: 'Bring back to the list',
    archiveText: 'An archived client leaves the list. Nothing is erased.',
    archivedDone: 'Archived. Nothing was erased.',
    unarchivedDone: 'Back in the list.',
  },
  newSession: {
    title: 'Add a session',
    titleFor: (name: string): string => `Add a session with ${name}`,
    client: 'Client',
    clientMissing: 'Choose who the session is with.',
    noClients: 'There are no clients yet. Add one first.',
    date: 'Date',
    time: 'Time',
    when: 'This time does not exist. Check the date and the time.',
    length: 'Minutes',
    lengthWrong: 'Between 5 and 480 minutes.',
    type: 'Kind',
    place: 'Where',
    places: { in_person: 'In the room', video: 'Video', phone: 'Phone' },
    others: 'Others in the room',
    othersHelp: 'One name in each line. Everyone must agree before the microphone opens.',
    typeAsk: 'Which kind of session is it, with others?',
    add: 'Add session',
    adding: 'Adding…',
    cancel: 'Cancel',
    added: (name: string, when: string): string => `${name}, ${when}, was added.`,
  },
} as const

export const scopeWords: Readonly<Record<ConsentScope, string>> = {
  record: 'Recording in the room',
  transcribe: 'A written transcript',
  draft: 'A drafted note',
  analyze: 'Session insights',
  retain: 'Keeping the audio after the note is signed',
}

const scopeShortWords: Readonly<Record<ConsentScope, string>> = {
  record: 'recording',
  transcribe: 'transcript',
  draft: 'drafted note',
  analyze: 'session insights',
  retain: 'keeping the audio',
}

export function scopeList(scopes: readonly ConsentScope[]): string {
  const words = listOfNames(scopes.map((scope) => scopeShortWords[scope]))
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}

export const consentMethodWords: Readonly<Record<Consent['method'], string>> = {
  spoken: 'Spoken',
  written: 'Signed on paper',
  electronic: 'Electronically',
}

export const roleWords: Readonly<Record<Participant['role'], string>> = {
  client: 'client',
  partner: 'partner',
  parent: 'parent',
  guardian: 'guardian',
  family: 'family',
  group_member: 'group member',
  interpreter: 'interpreter',
  other: 'other',
}

export interface ConsentPlaces {
  /** The host of a remote speech server, or null if speech recognition is local or off. */
  readonly speech_host: string | null
  /** The host of a remote model server that writes drafts, or null if drafts are written locally. */
  readonly writer_host: string | null
  readonly hasPractice: boolean
}

/** Stored with the consent as proof of the wording. Change it whenever the wording changes. */
export function consentTextVersion({ speech_host, writer_host, hasPractice }: ConsentPlaces): string {
  return [
    'read-aloud-2026-1',
    ...(hasPractice ? ['practice'] : ['laptop']),
    ...(speech_host === null ? [] : ['speech-server']),
    ...(writer_host === null ? [] : ['model-server']),
  ].join(' ')
}

/** The text must say only what happens with the current settings. */
export function consentText({ speech_host, writer_host, hasPractice }: ConsentPlaces): string {
  return [
    'I would like to record our session so that I can write my notes from it.',
    hasPractice
      ? 'The recording is kept encrypted on this laptop and in our practice’s own records.'
      : 'The recording stays on this laptop, encrypted.',
    ...(speech_host === null ? [] : [`To be written down, the sound is sent to ${speech_host}.`]),
    ...(writer_host === null ? [] : [`To draft the note with a computer’s help, the written words are sent to ${writer_host}.`]),
    'You can say stop at any time, and you can say no to any part of it.',
  ].join(' ')
}
