import type { LostPart, RecoveryKind, RecoveryReport } from '#contract/bridge/recovery.ts'
import { plural } from './plural.ts'

export const recoveryWords = {
  title: (name: string): string => (name === '' ? 'A recorded session is safe' : `Your session with ${name} is safe`),
  lead: (time: string): string => `It was interrupted at ${time}. The recording is saved up to that moment.`,
  endedLead: (time: string): string => `The recording ended at ${time}. All of it is saved.`,
  foundLead: (time: string): string => `The recording is saved up to ${time}.`,
  damagedTitle: (name: string): string =>
    name === '' ? 'Part of a recorded session can’t be read' : `Part of your session with ${name} can’t be read`,
  damagedLead: (time: string): string => `It was interrupted at ${time}.`,
  lostTitle: (name: string): string =>
    name === '' ? 'The recording of a session can’t be read' : `The recording of ${name} can’t be read`,
  lostLead: 'It was interrupted before it was finished.',
  foundPartLead: 'The rest of it is saved.',
  lostFoundLead: 'Afterword can’t read any of its sound.',
  more: (count: number): string => `${count} more ${count === 1 ? 'session' : 'sessions'} after this one.`,
  saved: 'Saved',
  readable: 'Readable',
  lost: 'Not recorded',
  nothing: 'nothing',
  lostAtMost: (length: string): string => `at most ${length}`,
  lostAfter: (time: string): string => `anything after ${time}`,
  lostUnknown: 'not known',
  recorded: 'Recorded',
  began: (day: string, from: string): string => `${day}, from ${from}`,
  span: (day: string, from: string, to: string): string => `${day}, ${from} to ${to}`,
  today: 'today',
  resumeHelp: (marks: number): string => {
    const saved = marks === 0 ? '' : marks === 1 ? 'Your mark is saved too. ' : `Your ${marks} marks are saved too. `
    return `${saved}If you resume, the break is marked in the transcript.`
  },
  noResume: {
    ended: 'This session has ended.',
    'consent-lost': 'The consent to record this session is not in your records now.',
    'no-consent': 'There is no consent to record this session now.',
    'hour-over': 'The time of this session is over.',
    'no-session': 'This session is missing from your records.',
  },
  mayFinish: 'You can finish with what is saved.',
  mayEnd: 'You can finish it without sound, or discard it.',
  play: 'Play what is saved',
  pause: 'Pause',
  wave: 'Place in what is saved',
  position: (at: string, total: string): string => `${at} of ${total}`,
  resume: 'Resume recording',
  resuming: 'Opening the microphone…',
  finish: 'Finish with what is saved',
  finishWithout: 'Finish without sound',
  finishing: 'Finishing…',
  discard: 'Discard…',
  discardTitle: (name: string): string => (name === '' ? 'Erase this recording?' : `Erase the recording of ${name}?`),
  discardLead: (length: string, isUnreadable: boolean): string =>
    isUnreadable
      ? `This permanently deletes the recording of ${length}. Its key is destroyed, so a backup of its file can’t be read either.`
      : `This permanently deletes ${length} of sound: first its key, then the file. You can’t undo this.`,
  discardStays: 'The session stays in the calendar.',
  keep: 'Keep it',
  erase: 'Erase the recording',
  erasing: 'Erasing…',
  failed: 'That didn’t work. What was saved before is unchanged.',
  noSound: 'Afterword can’t play the sound right now.',
} as const

const files: Readonly<Record<RecoveryReport['file'], string>> = {
  vault: 'The file with your records (vault.db)',
  service: 'The file with the second copy of your records (service.db)',
  keys: 'A file with the encrypted key to your records (vault.json, vault.json.bak or recordings/keys.json)',
  recordings: 'A recording, or the folder with your recordings,',
}

const causes: Readonly<Record<RecoveryReport['cause'], string>> = {
  damaged: 'was damaged',
  missing: 'was missing',
  behind: 'did not have your newest records',
}

const keyCauses: Readonly<Record<RecoveryReport['cause'], string>> = {
  ...causes,
  damaged: 'was damaged, or belonged to other records',
  behind: 'was replaced with an older one',
}

const many: Readonly<Record<RecoveryKind, readonly [one: string, several: string]>> = {
  client: ['client details', 'details of # clients'],
  consent: ['consent', '# consents'],
  session: ['session', '# sessions'],
  recording: ['recording', '# recordings'],
  transcript: ['transcript', '# transcripts'],
  note: ['progress note', '# progress notes'],
  addendum: ['addendum', '# addenda'],
  insight: ['some session insights', 'some session insights'],
  bookmark: ['bookmark', '# bookmarks'],
  template: ['Some of your templates', 'Some of your templates'],
  settings: ['Your settings', 'Your settings'],
  connection: ['The connection to your practice’s server', 'The connection to your practice’s server'],
  clients: ['Some client details', 'Some client details'],
  consents: ['Some consents', 'Some consents'],
  sessions: ['Some sessions', 'Some sessions'],
  transcripts: ['Some transcripts', 'Some transcripts'],
  notes: ['Some progress notes', 'Some progress notes'],
  list: ['The list of your records', 'The list of your records'],
  other: ['Some of Afterword’s own working data', 'Some of Afterword’s own working data'],
}

export const reportWords = {
  damaged: 'Part of your records is damaged',
  damagedLead: 'Afterword found damage in a file of this laptop. Your other records still open, and what you enter is saved.',
  damagedNext:
    'Afterword repairs the file the next time it opens your records. Lock Afterword and unlock it to repair the file now.',
  damagedRecording: 'If a recording is running, finish it first.',
  later: 'Later',
  lock: 'Lock Afterword',
  title(isLosing: boolean, isUnlisted: boolean): string {
    if (isLosing) return 'Some of your records could not be recovered'
    return isUnlisted ? 'Some of your records may be missing' : 'Afterword repaired your records'
  },
  happened: ({ file, cause }: Pick<RecoveryReport, 'file' | 'cause'>): string =>
    file === 'keys' ? `${files.keys} ${keyCauses[cause]}.` : `${files[file]} ${causes[cause]}.`,
  olderKeys: 'Afterword put the newest one back. From now on only your newest passphrase and recovery code open your records.',
  olderKeysNext:
    'If you didn’t put an older file back yourself, someone else may have. Make a new recovery code in Settings then.',
  otherKeys: 'Afterword wrote a good copy in its place. This does not change your passphrase or recovery code.',
  parts: (unreadable: number, total: number): string =>
    unreadable === total
      ? 'The key to your records opens no part of it. The file may belong to other records, or it is damaged throughout.'
      : `${plural(unreadable, '# part', '# parts')} of ${total} could not be read.`,
  setAside: (names: readonly string[]): string =>
    names.length === 1
      ? `Afterword deleted nothing. The damaged file is in the data folder as ${names[0]}. Keep all files whose names start with this name.`
      : `Afterword deleted nothing. The damaged files are in the data folder as ${names.join(', ')}. Keep all files whose names start with these names.`,
  older: (names: readonly string[]): string =>
    `Afterword found newer records in your data folder and put them in its place. It deleted nothing: the older file is there as ${names.join(', ')}.`,
  brokenLinks: (names: readonly string[]): string =>
    `In its place was a link that leads nowhere. Afterword kept it as ${names.join(', ')}. If it led to another disk, connect that disk. Then close Afterword, copy the recordings from there into the folder “recordings” of your data folder, and start Afterword again.`,
  copies: (names: readonly string[]): string =>
    `What is missing may be in ${names.join(', ')} in your data folder. Your key opens ${names.length === 1 ? 'this file' : 'these files'}, so keep ${names.length === 1 ? 'it' : 'them'}.`,
  recovered: 'Recovered',
  lost: 'Not recovered',
  unlisted: 'Afterword has no up-to-date list of your records. More may be missing or older than is named here.',
  allRecovered: 'As far as Afterword can tell, nothing is missing because of this file.',
  solved: (day: string): string =>
    `This is solved. Afterword compared both copies of your records again on ${day}, and none of your records in this report is missing.`,
  ownData: 'Some of Afterword’s own working data could not be read. None of your records is part of it.',
  unknownClientNext:
    'Sessions of clients who are missing are listed under “Unknown client”. Listen to the recording or read the transcript to find out whose session it is. Then enter the name in the details of that client.',
  madeAgain: 'Afterword made this file again from the records in vault.db.',
  lostNext: 'If you have a backup of your data folder, keep it. The backup may hold what is missing here.',
  putBack: (file: 'vault' | 'service'): string =>
    `If you have a copy of this file, close Afterword and put the copy into the data folder under the name ${file}.db. Give the file that is there another name first. Then start Afterword again. A sync program may have renamed the file, for example with “conflicted copy” in its name. Another program may have compressed, split or converted it, for example to a ZIP archive, ${file}.db.gz or ${file}.db.001. Unpack or convert it first.`,
  recordingsBack:
    'If you find the file of a recording (its name ends in .afr), put it into the folder “recordings” of your data folder.',
  folder: (path: string): string => `Your data folder is ${path}.`,
  unknownClient: 'Unknown client',
  unknownDate: 'Date unknown',
  line(
    { kind, is_partial, is_signed }: Pick<RecoveryReport['items'][number], 'kind' | 'is_partial' | 'is_signed'>,
    count: number,
  ) {
    const line = is_signed ? plural(count, 'signed progress note', '# signed progress notes') : plural(count, ...many[kind])
    if (!is_partial) return line
    return is_signed ? `the signature of the ${many[kind][0]}` : `part of the ${line}`
  },
  showRecovered: (count: number): string => plural(count, 'Show # recovered item', 'Show all # recovered items'),
  reconnect: 'To connect to your practice’s server again, go to Settings, Practice and sync.',
  notCompared: 'Afterword can’t check your records right now',
  notComparedLead:
    'Afterword keeps your records twice on this laptop and compares the two copies. The comparison failed. Your records open, and what you enter is saved.',
  notComparedNext:
    'Afterword tries again every minute, and this message goes away when it works. If it comes back, restart Afterword.',
  ok: 'OK',
  done: 'I have read this',
  group: 'Repair reports',
  ofDay: (day: string, title: string): string => `${day}: ${title}`,
  show: 'Show report',
  close: 'Close',
  remove: 'Delete report',
  removeHelp: 'If you delete this report, the pages of the sessions no longer say what was lost.',
  removing: 'Deleting…',
  saving: 'Saving…',
  more: (count: number): string => `${plural(count, '# more report', '# more reports')} after this one.`,
} as const

const partly: Readonly<Partial<Record<LostPart['kind'], string>>> = {
  transcript: 'Part of this session’s transcript is lost.',
  note: 'The last changes to this session’s note are lost.',
}

export const lostWords = {
  line({ kind, count, is_partial, is_signed }: LostPart): string {
    if (kind === 'addendum')
      return plural(count, 'An addendum to this session’s note is lost.', '# addenda to this session’s note are lost.')
    if (is_partial && is_signed) return 'The signature of this session’s note is lost. The note is here as an older draft.'
    return (is_partial ? partly[kind] : undefined) ?? `The ${is_signed ? 'signed ' : ''}${kind} of this session is lost.`
  },
  found: (day: string): string => `Afterword found this on ${day}.`,
  next: 'If you have an older copy of your data folder, keep it: it may hold what is lost. Settings, Repair reports, says how to put files back.',
  again: 'Otherwise you can write it again here.',
  noteTitle: 'The note is lost.',
  transcriptTitle: 'The transcript is lost.',
  recording: 'The recording of this session is lost.',
  empty: 'Your records are missing.',
  some: 'Some of your records may be missing.',
  emptyNext:
    'Before you enter anything new, look for your data folder on another disk, on another computer or in a backup. Settings, Repair reports, says how to put files back.',
  toReports: 'Open Settings',
} as const

export const damagedWords = {
  part: (lost: string, length: string): string => `${lost} of ${length} can’t be read.`,
  underASecond: 'Less than 1 s',
  whole: (length: string): string => `This recording of ${length} can’t be read.`,
  partHelp: 'The recording file was changed or damaged outside Afterword. The rest plays, with silence in the damaged parts.',
  wholeHelp: 'The recording file is missing, or it was replaced or damaged outside Afterword.',
  transcriptSafe: 'Your transcript is stored separately.',
  noteSafe: 'Your note is stored separately.',
  bothSafe: 'Your transcript and your note are stored separately.',
  next: (file: string): string =>
    `If you have a backup of this computer, restore ${file} in Afterword’s folder, then restart Afterword.`,
} as const
