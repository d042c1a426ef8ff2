import type { ConsentScope } from '#contract/model/consent.ts'
import type { GapReason } from '#contract/model/recording.ts'
import type { Session } from '#contract/model/session.ts'

const types: Record<Session['session_type'], string> = {
  individual: 'Individual',
  couple: 'Couple',
  family: 'Family',
  group: 'Group',
  intake: 'First visit',
  crisis: 'Crisis',
  consultation: 'Consultation',
}

const places: Record<Session['modality'], string> = { in_person: 'in the room', video: 'video', phone: 'phone' }

const scopes: Record<ConsentScope, string> = {
  record: 'record',
  transcribe: 'transcribe',
  draft: 'draft a note',
  analyze: 'session insights',
  retain: 'keep the audio',
}

const gaps: Record<GapReason, (length: string) => string> = {
  pause: (length) => `Paused for ${length}.`,
  reload: (length) => `A break of ${length} while the window opened again.`,
  interruption: (length) => `Interrupted for ${length}.`,
  device: (length) => `No microphone for ${length}.`,
  damage: (length) => `${length} can’t be read.`,
  struck: (length) => `${length} were struck.`,
}

export const sessionWords = {
  back: 'Back to Today',
  until: 'to',
  underASecond: 'less than 1 s',
  tabs: { record: 'Record', transcript: 'Transcript', note: 'Note', insights: 'Insights', consent: 'Consent and audio' },
  tabsLabel: 'Parts of this session',
  loading: 'Opening the session',
  type: (type: Session['session_type']): string => types[type],
  place: (place: Session['modality']): string => places[place],
  number: (number: number): string => `session ${number}`,
  consentChip: (given: readonly ConsentScope[]): string => `Consent: ${given.map((scope) => scopes[scope]).join(', ')}`,
  consentMissing: 'No recording consent',
  withdrawn: 'Consent withdrawn…',
  withdrawTitle: (name: string): string => `Has ${name} withdrawn consent?`,
  withdrawTitleMany: 'Has somebody withdrawn consent?',
  withdrawWho: 'Who has withdrawn?',
  withdrawLead: 'The recording has stopped. If you mark consent as withdrawn, it does not go on.',
  withdrawYes: 'Mark as withdrawn',
  withdrawNo: 'No, keep consent',
  keepTitle: (name: string): string => `Recording of ${name} has stopped`,
  keepLead: 'Keep what was said until now, or erase it?',
  keepSaved: (length: string): string => `${length} are saved. Nothing more is recorded.`,
  keep: 'Keep what was said',
  eraseNow: 'Erase it',
  stateRecording: 'Recording. The microphone is open.',
  statePaused: 'Paused. The microphone is closed.',

  consent: {
    title: 'Before the microphone opens',
    missing: (names: readonly string[]): string =>
      `${listOf(names)} ${names.length === 1 ? 'has' : 'have'} not agreed to be recorded, so the microphone stays closed. Ask now, or take notes by hand.`,
    all: 'Everyone in the room has agreed to be recorded.',
    readAloud: 'Read this aloud',
    formTitle: (name: string): string => `${name} agrees to`,
    scopes: {
      record: 'Recording this and later sessions',
      transcribe: 'Writing a transcript of the recording',
      draft: 'Drafting the note from the transcript',
      analyze: 'Session insights',
      retain: 'Keeping the audio after the note is signed',
    } satisfies Record<ConsentScope, string>,
    how: 'How it was given',
    methods: { spoken: 'Spoken', written: 'On paper', electronic: 'Electronically' },
    give: (name: string): string => `Record ${name}’s consent`,
    giving: 'Recording consent…',
    needsRecord: 'Choose at least one thing.',
    none: 'Without consent there is no recording. You can type a transcript or write the note by hand.',
  },

  before: {
    microphone: 'Microphone',
    systemMicrophone: 'The system’s own choice',
    unnamed: (number: number): string => `Microphone ${number}`,
    checkRoom: 'Check the room, 10 seconds',
    checking: 'Listening…',
    checkLead: 'Speak as you will in the session, you and the other chair. Nothing is kept.',
    space: (hours: number): string => `Space for ${hoursOf(hours)}`,
    noSpace: 'There isn’t room on the disk for two hours of recording. Free some space first.',
    start: 'Start recording',
    starting: 'Opening the microphone…',
    otherActive: 'Another session is being recorded. End it first.',
    openActive: 'Go to that session',
    ended: 'This session is recorded.',
    endedHelp: 'Listen and correct in the transcript, or look at the audio under Consent and audio.',
    toTranscript: 'Go to the transcript',
    erased: 'The recording of this session was erased.',
    erasedHelp: 'The transcript and the note stay. You can record again.',
    notStarted: 'Not started',
    cancelled: 'This session was cancelled, so there is nothing to record.',
  },

  room: {
    heard: 'I hear you well.',
    nothing: 'I hear nothing. Check the switch on the microphone, or choose another one.',
    clipping: 'Too loud: the sound is cut off. Move the microphone away or turn it down.',
    quiet: 'Very quiet. Move the microphone closer to both chairs.',
    'microphone-denied': 'The microphone is not allowed. Allow it for Afterword in the system’s privacy settings.',
    'microphone-missing': 'There is no microphone. Plug one in or switch it on.',
    'microphone-lost': 'The microphone could not be opened.',
  },

  now: {
    elapsed: 'Recorded time',
    saved: (time: string): string => `Saved ${time}`,
    savedHelp: 'Encrypted on this laptop, second by second',
    notYet: 'Nothing saved yet',
    behind: (seconds: number): string => `${seconds} s not saved yet. They are kept and sent again.`,
    level: 'Level of the last saved second',
    levelLabel: (steps: number): string => `Level ${steps} of 24`,
    silent: (time: string): string => `I hear nothing since ${time}.`,
    silentHelp: 'The file is growing, but it is silent. Check the switch on the microphone.',
    clipping: 'Too loud: the sound is cut off. Move the microphone away.',
    waveform: 'The session so far',
    position: (at: string, total: string): string => `${at} of ${total}`,
    now: 'now',
    pause: 'Pause',
    goOn: 'Go on',
    mark: 'Mark this moment',
    end: 'End session',
    soFar: 'So far',
    marksAndPauses: 'Marks and pauses',
    started: (time: string): string => `Started ${time}`,
    space: (hours: number): string => `space for ${hoursOf(hours)}`,
    nothingYet: 'Marks and pauses will be listed here.',
    nothingRecorded: 'Nothing was recorded then.',
    gap: (reason: GapReason, length: string): string => gaps[reason](length),
    stillPaused: 'Paused now. Nothing is recorded.',
    rename: 'Rename',
    renameLabel: (text: string): string => `Rename ${text}`,
    removeLabel: (text: string): string => `Remove ${text}`,
    remove: 'Remove',
    save: 'Save',
    markTitle: (time: string): string => `What happens at ${time}?`,
    markHelp: 'The moment is saved. Type what happens, or leave it without a name.',
    markDefault: 'Marked moment',
    marked: (time: string): string => `Marked at ${time}.`,
    quickNotes: 'Quick notes',
    quickNotesField: 'A quick note',
    quickNotesHelp: 'Enter keeps it with the time. It stands in the list as a mark.',
    lastTime: 'From last time',
    more: 'More',
    discard: 'Discard the recording…',
  },

  end: {
    title: (name: string): string => `End the session with ${name}?`,
    lead: (length: string): string => `${length} are saved and stay. The microphone closes.`,
    next: 'The transcript is written next.',
    nextManual: 'You can ask for the transcript afterwards.',
    goOn: 'Keep recording',
    end: 'End session',
    ending: 'Ending…',
  },

  discard: {
    title: (name: string): string => `Erase the recording of ${name}?`,
    lead: (length: string): string =>
      `This permanently deletes ${length} of sound: first its key, then the file. You can’t undo this.`,
    stays: 'The session stays in the calendar. A transcript or note that is already written stays.',
    keep: 'Keep it',
    erase: 'Erase the recording',
    erasing: 'Erasing…',
    done: 'The recording was erased.',
  },

  trouble: {
    'microphone-denied': {
      title: 'The microphone is not allowed.',
      help: 'Allow the microphone for Afterword in the system’s privacy settings, then start again. Nothing was recorded.',
    },
    'microphone-missing': {
      title: 'There is no microphone.',
      help: 'Plug one in or switch it on, then start again. Nothing was recorded.',
    },
    'microphone-lost': {
      title: 'The microphone was unplugged.',
      help: 'Everything until then is saved. Plug it in again or choose another one, then go on. The break is marked.',
    },
    'disk-full': {
      title: 'The disk is full, so recording has stopped.',
      help: 'Everything recorded so far is kept. Free some space, then go on, or end the session here.',
    },
    'disk-failed': {
      title: 'The disk could not be written.',
      help: 'What is saved stays saved. The rest is kept in memory and sent again.',
    },
    restarting: {
      title: 'Afterword is restarting its inner part.',
      help: 'The microphone stays open. What you say is kept in memory and saved as soon as it is back.',
    },
    locked: {
      title: 'Your records are locked.',
      help: 'The microphone stays open, and this window keeps what it hears. Unlock Afterword to save it.',
    },
    other: {
      title: 'The recording could not go on.',
      help: 'Everything saved so far is kept. Go on, or end the session here.',
    },
    cutOff: {
      'microphone-denied': {
        title: 'The microphone is no longer allowed.',
        help: 'Everything until then is saved. Allow it for Afterword in the system’s privacy settings, and the recording goes on by itself. The break is marked.',
      },
      'microphone-missing': {
        title: 'The microphone is gone.',
        help: 'Everything until then is saved. Plug it in or switch another one on, and the recording goes on by itself. The break is marked.',
      },
    },
    goOn: 'Go on',
  },

  elsewhere: {
    title: 'Another window is recording this session.',
    paused: 'Another window has paused this recording.',
    silent: (length: string): string => `No sound has been saved for ${length}.`,
    saved: (length: string): string => `${length} saved on this laptop.`,
    controls: 'Pause it and add bookmarks in that window. You can end the session here.',
    check: 'Another window was recording this session. Check that window. If it is closed, you can resume here in a few seconds.',
  },

  interrupted: {
    title: 'This recording was interrupted.',
    help: (length: string): string => `${length} are saved.`,
    resume: 'Resume recording',
    finish: 'Finish with what is saved',
    finishWithout: 'Finish without sound',
  },

  audio: {
    consentTitle: 'Consent',
    consentLead: 'Each thing is agreed to on its own, and can be withdrawn at any time.',
    nobody: (name: string): string => `There is no consent from ${name} in your records.`,
    given: 'Given',
    revoked: 'Withdrawn',
    revoke: 'Withdraw…',
    ask: 'Ask now',
    declined: 'not given',
    history: (method: string, given: string, revoked: string | null): string =>
      revoked === null ? `${method}, ${given}` : `${method}, ${given}, withdrawn ${revoked}`,
    revokeTitle: (name: string): string => `Withdraw the consent of ${name}?`,
    revokeLead: 'A running recording stops at once. What was said until now stays until you decide.',
    revokeYes: 'Withdraw consent',
    revokeNo: 'Keep consent',
    audioTitle: 'Audio',
    none: 'There is no recording of this session.',
    noneHelp: 'Open Record to make one.',
    erased: (day: string, time: string): string => `The recording was erased on ${day} at ${time}.`,
    length: 'Length',
    saved: 'Saved',
    size: 'Size on this laptop',
    gapsTitle: 'Pauses and breaks',
    noGaps: 'None',
    gapsCount: (count: number): string => (count === 1 ? '1 break, see Record' : `${count} breaks, see Record`),
    checked: 'File checked',
    notChecked: 'Not yet',
    device: 'Microphone',
    started: 'Recorded',
    fingerprint: 'Fingerprint (SHA-256)',
    fingerprintLater: 'Known when the session has ended',
    encrypted: 'Encrypted with a key of its own, kept inside your records.',
    erase: 'Erase the recording…',
    running: 'The recording is still running. End the session first.',
  },
} as const

export function listOf(names: readonly string[]): string {
  if (names.length <= 1) return names[0] ?? ''
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function hoursOf(hours: number): string {
  if (hours < 1 || hours > 99) return hours < 1 ? 'less than 1 hour' : 'more than 99 hours'
  return hours === 1 ? '1 hour' : `${hours} hours`
}
