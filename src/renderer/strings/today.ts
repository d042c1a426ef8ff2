import type { Session } from '#contract/model/session.ts'
import { plural, pluralSentence } from './plural.ts'

export const todayStrings = {
  addSession: 'Add a session',
  aside: 'What is left to do',
  beforeHome: 'Before you go home',
  nothingLeft: 'Nothing is left to sign.',
  tomorrow: 'Tomorrow',
  nothingTomorrow: 'No sessions yet.',
  firstVisit: 'first visit',
  sessions: 'Sessions today',
  earlier: (sessions: number, drafts: number): string =>
    `Earlier today: ${plural(sessions, '# session', '# sessions')}${drafts === 0 ? '' : `, ${plural(drafts, '# draft to review', '# drafts to review')}`}`,
  none: {
    title: 'No sessions today.',
    next: (day: string): string => `Your next one is ${day}.`,
    add: 'Add a session',
  },
  first: {
    title: 'Begin with a client.',
    text: 'Add the person you see, then a session. Recording begins only when everyone in the room has agreed.',
    add: 'Add a client',
  },
  damaged: {
    title: (count: number, whole: number): string => {
      if (whole === count) return pluralSentence(count, '# recording can’t be read.', '# recordings can’t be read.')
      if (whole === 0) return pluralSentence(count, '# recording can’t be read in full.', '# recordings can’t be read in full.')
      return pluralSentence(count, '# recording is damaged.', '# recordings are damaged.')
    },
    help: 'Recording files were changed, damaged or removed outside Afterword. Transcripts and notes are stored separately.',
    line: (who: string, day: string, what: string): string => `${who}, ${day}: ${what}`,
    unknownClient: 'Unknown client',
    more: (count: number): string => plural(count, 'And # more recording.', 'And # more recordings.'),
    dismiss: 'Dismiss',
  },
  lead: {
    next: (name: string, when: string): string => `${name} is next, ${when}.`,
    now: (name: string, time: string): string => `The session with ${name} began at ${time}.`,
    due: (name: string, time: string): string => `The session with ${name} was set for ${time}.`,
    over: 'All sessions of today are over.',
    free: 'Nothing is planned for today.',
    toSign: (count: number): string => pluralSentence(count, '# note is left to sign.', '# notes are left to sign.'),
  },
  in: (minutes: number): string => {
    if (minutes < 1) return 'now'
    if (minutes < 60) return `in ${plural(minutes, '# minute', '# minutes')}`
    const hours = Math.floor(minutes / 60)
    const rest = minutes % 60
    return rest === 0 ? `in ${plural(hours, '# hour', '# hours')}` : `in ${hours} h ${rest} min`
  },
  card: {
    start: 'Start session',
    goOn: 'Go to the session',
    ask: 'Ask for consent',
    lastTime: (words: string): string => `Last time: ${words}`,
    consentGiven: 'Consent given',
    microphone: 'Microphone ready',
    noMicrophone: 'No microphone found',
    space: (hours: number): string =>
      hours > 99 ? 'Space for more than 99 hours' : `Space for ${plural(hours, '# hour', '# hours')}`,
    noSpace: 'Not enough space to record',
    battery: (hours: number): string => `Battery for ${plural(hours, '# hour', '# hours')}`,
    batteryShort: (minutes: number): string => `Battery for ${plural(minutes, '# minute', '# minutes')}`,
    mains: 'On mains power',
  },
  chip: {
    signed: 'Signed',
    cancelled: 'Cancelled',
    noShow: 'Did not come',
    toCheck: (count: number): string => `${count} to check`,
    draft: 'Draft, not signed',
    transcribing: 'Writing the transcript',
    waitsForTranscript: 'Waits for a transcript',
    waitsForWriter: 'Waits for its draft writer',
    drafting: 'Writing the draft',
    failed: 'Could not be finished',
    recording: 'Recording',
    interrupted: 'Interrupted',
    noNote: 'No note',
    noteLost: 'Note lost',
    noConsent: 'No recording consent',
    returned: 'Returned',
    awaitingCosign: 'Waits for a second signature',
    inError: 'Entered in error',
  },
  action: {
    review: 'Review draft',
    sign: 'Sign note',
    ask: 'Ask now',
    bring: 'Bring one in',
    write: 'Write note',
    look: 'Look',
  },
  left: {
    toCheck: (count: number): string => `Draft ready. ${plural(count, '# statement needs', '# statements need')} your eye.`,
    onlySign: 'Checked. Only your signature is missing.',
    returned: 'It came back to you.',
    transcribing: 'The transcript is being written.',
    noEngine: 'No speech engine is set up. Bring in a transcript, or type one.',
    noWriter: 'The draft writer that is chosen is not ready. The transcript is safe.',
    failed: 'The transcript could not be finished. The recording is safe.',
    drafting: 'The draft is being written.',
    draftFailed: 'The draft could not be written. The transcript is safe.',
    hasTranscript: 'The transcript is ready. There is no draft yet.',
    noNote: 'There is no note.',
    noteLost: 'The note of this session is lost.',
    more: (count: number): string => plural(count, 'And # more note.', 'And # more notes.'),
  },
} as const

export const sessionTypeWords: Readonly<Record<Session['session_type'], string>> = {
  individual: 'Individual',
  couple: 'Couple',
  family: 'Family',
  group: 'Group',
  intake: 'First visit',
  crisis: 'Crisis',
  consultation: 'Consultation',
}

export const modalityWords: Readonly<Record<Session['modality'], string>> = {
  in_person: 'in the room',
  video: 'video',
  phone: 'phone',
}

export const minutesWords = (minutes: number): string => `${minutes} min`
export const sessionNumberWords = (number: number): string => `session ${number}`
