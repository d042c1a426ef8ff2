import type { Conflict, WhoChanged } from '#contract/bridge/conflicts.ts'
import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import { plural } from './plural.ts'

type OfKind<Kind extends Conflict['kind']> = Extract<Conflict, { kind: Kind }>

/** Words for fields inside a sentence. A field that is not listed is called a detail. */
const fields: Readonly<Record<string, string>> = {
  display_name: 'name',
  given_name: 'given name',
  family_name: 'family name',
  pronouns: 'pronouns',
  date_of_birth: 'date of birth',
  email: 'e-mail address',
  phone: 'phone number',
  status: 'status',
  clinician_id: 'therapist',
  diagnoses: 'diagnoses',
  insurance: 'insurance card',
  goals: 'goals',
  vocabulary: 'names and words',
  session_type: 'kind of session',
  starts_at: 'beginning',
  duration_minutes: 'length',
  modality: 'place',
  participants: 'people in the room',
  time_zone: 'time zone',
  room_id: 'room',
  cpt_code: 'billing code',
  presenting_concerns: 'concerns',
  started_at: 'real beginning',
  finished_at: 'real end',
}

const documents = { note: 'note', transcript: 'transcript', template: 'form of note' } as const
const records = { client: 'details', session: 'session', consent: 'consent', ...documents } as const

const upper = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

const fieldWord = (name: string): string => fields[name] ?? 'detail'
export const fieldTitle = (name: string): string => upper(fieldWord(name))

export const conflictStrings = {
  group: 'To decide',
  open: 'Choose',
  back: 'Outbox',
  loading: 'Opening both versions',
  later: 'Decide later',
  use: {
    fields: 'Use the chosen version',
    document: 'Use the chosen version',
    booking: 'Take the chosen time',
    erased: 'Do what is chosen',
  },
  useSide: { mine: 'Use this laptop’s version', theirs: 'Use your practice’s version', together: 'Use what you wrote' },
  useSigned: 'Keep the signed note',
  notSigned: 'This draft cannot be signed until you choose.',
  using: 'Keeping it…',
  chooseFirst: 'Choose one first.',
  chooseEach: 'Choose one for each.',
  mine: 'This laptop',
  theirs: 'Your practice',
  youAt: (when: string): string => `you, ${when}`,
  byAt: (who: string | null, when: string): string => (who === null ? when : `${who}, ${when}`),
  ofSession: (when: string): string => `Session of ${when}`,
  foundAt: (when: string): string => `found ${when}`,
  empty: 'Left empty',
  changed: 'It was changed at your practice again. This is how it stands now.',
  gone: { title: 'There is nothing to decide here.', text: 'It was settled by what came in since.' },
  decidedGroup: 'Decided',
  decidedLead: (when: string): string => `You decided this ${when}. Both versions are as they were then.`,
  decidedLine: (when: string): string => `Decided ${when}`,
  look: 'Look',
  backToOutbox: 'Back to the outbox',
  combined: 'Put together without a question',
  kept: (value: string, changed?: 'here' | 'there'): string => {
    if (changed === undefined) return `kept: ${value}`
    return `${changed === 'here' ? 'Changed only here' : 'Changed at your practice'}, kept: ${value}`
  },
  history: 'Nothing is erased by choosing: the outbox keeps the other version under “Decided”, on this laptop.',
  sameSections: (count: number): string => plural(count, '# more section says the same.', '# more sections say the same.'),
  moreTurns: (count: number): string => plural(count, '# more turn differs.', '# more turns differ.'),
  noDifference: 'Both say the same by now.',
  signed: (by: string): string => `Signed by ${by}`,
  draft: 'Draft',
  sides: (what: string): string => `Which ${what} counts`,
} as const

export function conflictTitle(conflict: Conflict, name: string | null): string {
  const whose = name === null ? '' : ` of ${name}`
  switch (conflict.kind) {
    case 'fields': {
      const [only] = conflict.fields
      const about = conflict.record === 'session' ? ` in the session${name === null ? '' : ` with ${name}`}` : whose
      if (conflict.fields.length === 1 && only !== undefined) return `Two versions: ${fieldWord(only.name)}${about}`
      return `Two versions of ${conflict.fields.length} details${about}`
    }
    case 'document':
      if (conflict.choices.length === 1) return `The note${name === null ? '' : ` for ${name}`} was signed, and changed elsewhere`
      return `The ${documents[conflict.record]}${name === null ? '' : ` for ${name}`} has two versions`
    case 'erased':
      return `The ${records[conflict.record]}${whose} ${conflict.record === 'client' ? 'were' : 'was'} erased at your practice`
    case 'booking':
      return `The time for ${name ?? 'this session'} is taken`
  }
}

export function whoWords(who: WhoChanged | undefined): string | null {
  if (who?.who === 'you') return 'you, on another computer'
  return who?.name ?? null
}

function bothChanged(who: WhoChanged | undefined): string {
  if (who?.who === 'you') return 'You changed it here and on another computer.'
  return `You changed it here while ${who?.name ?? 'another computer'} changed it too.`
}

export function conflictLead(conflict: Conflict, who?: WhoChanged): string {
  switch (conflict.kind) {
    case 'fields':
      return `${bothChanged(who)} Both are kept. Choose what counts.`
    case 'document':
      if (conflict.choices.length === 2)
        return `${bothChanged(who)} Both are kept whole. Choose ${conflict.record === 'note' ? 'what the note should say' : 'the one that counts'}.`
      return conflict.choices[0] === 'theirs'
        ? 'It was signed on another computer before your changes were sent. A signed note does not change: your words are kept below, to add to it as an addendum.'
        : 'You signed it here while another computer still changed the draft. What you signed stays as it is; the other words are kept below.'
    case 'erased':
      return 'It is still on this laptop, because something here was never sent. Nothing goes until you decide.'
    case 'booking':
      return `This time is already taken. ${
        conflict.proposals.length > 0 ? 'These times can be had instead.' : 'Find another time in the week, or give it up.'
      }`
  }
}

export function sessionConflict(conflict: Conflict): string {
  if (conflict.kind === 'booking') return 'This time is already taken.'
  if (conflict.kind === 'erased') return 'This was erased at your practice, and is still here.'
  if (conflict.kind === 'fields') return 'This session was changed here and on another computer.'
  const what = documents[conflict.record]
  const until = conflict.record === 'note' && conflict.choices.length === 2 ? ' It cannot be signed until you choose.' : ''
  return `The ${what} was changed here and on another computer.${until}`
}

export function conflictLine(conflict: Conflict): string {
  if (conflict.kind === 'booking') return 'this time is already taken'
  if (conflict.kind === 'erased') return 'erased at your practice, and still here'
  return 'changed here and on another computer'
}

export const togetherStrings = {
  option: 'Write it together',
  optionWhen: 'starts from one, you take and change sentences',
  title: 'The draft, written together',
  startFrom: 'Start from',
  help: 'A sentence you take keeps its source. What you type is marked as your own words. Kept while this window is open and unlocked.',
  sources: { both: 'In both', mine: 'This laptop', theirs: 'Your practice', own: 'Your words' },
  sentences: (section: string): string => `Sentences of ${section}`,
  sentence: (number: number, section: string, source: string): string => `${section}, sentence ${number}, ${source}`,
  take: 'Take',
  leaveOut: 'Leave out',
  of: (doing: string, text: string): string => `${doing}: ${text.trim().slice(0, 60)}`,
  add: 'Add a sentence',
  addTo: (section: string): string => `Add a sentence to ${section}`,
  agreed: (count: number): string =>
    plural(count, '# more section says the same in both, and stays.', '# more sections say the same in both, and stay.'),
  writeFirst: 'Keep at least one sentence.',
  decided: (when: string): string => `You wrote it together ${when}. Both versions are as they were then; yours is below.`,
  written: 'What you wrote',
} as const

export const bookingStrings = {
  label: 'Another time',
  again: (when: string): string => `Ask for ${when} again`,
  againDetail: 'Where it is free by now, or you moved the session yourself.',
  giveUp: 'Give up this booking',
  giveUpDetail: 'The session is marked as cancelled.',
  wanted: (when: string): string => `You booked ${when}.`,
} as const

export const erasedStrings = {
  label: 'What to do here',
  keep: 'Keep it on this laptop',
  keepDetail: 'It stays here alone; what waits to be sent of it is not sent any more.',
  erase: 'Erase it here too',
  eraseDetail(conflict: OfKind<'erased'>): string {
    const parts = []
    if (conflict.unsent_changes > 0) parts.push(plural(conflict.unsent_changes, '# unsent change', '# unsent changes'))
    if (conflict.recordings > 0) parts.push(plural(conflict.recordings, '# recording', '# recordings'))
    return parts.length === 0 ? 'This cannot be undone.' : `${parts.join(' and ')} will be lost. This cannot be undone.`
  },
} as const

const sessionStatus: Readonly<Record<Session['status'], string>> = {
  proposed: 'Proposed',
  scheduled: 'Planned',
  in_progress: 'Under way',
  completed: 'Held',
  cancelled: 'Cancelled',
  no_show: 'Did not come',
}
const clientStatus: Readonly<Record<Client['status'], string>> = { active: 'Active', archived: 'Archived' }
export const statusWords: Readonly<Record<string, string>> = { ...clientStatus, ...sessionStatus }
