import type { RecoveryKind, RecoveryReport } from '#contract/bridge/recovery.ts'
import { plural } from './plural.ts'

const files: Readonly<Record<RecoveryReport['file'], string>> = {
  vault: 'The file with your records (vault.db)',
  service: 'The file with the second copy of your records (service.db)',
  keys: 'The file with the locked key to your records (vault.json)',
  recordings: 'The folder with your recordings',
}

const causes: Readonly<Record<RecoveryReport['cause'], string>> = {
  damaged: 'was damaged',
  missing: 'was missing',
  behind: 'was older than your newest records',
}

const many: Readonly<Record<RecoveryKind, readonly [one: string, several: string]>> = {
  client: ['# client', '# clients'],
  consent: ['# consent', '# consents'],
  session: ['# session', '# sessions'],
  recording: ['# recording', '# recordings'],
  transcript: ['# transcript', '# transcripts'],
  note: ['# progress note', '# progress notes'],
  insight: ['some session insights', 'some session insights'],
  template: ['some of your templates', 'some of your templates'],
  settings: ['some settings', 'some settings'],
  other: ['# internal list, in part', '# internal lists, in part'],
}

export const reportWords = {
  damaged: 'Part of your records is damaged',
  damagedLead: 'Afterword found damage in a file of this laptop. Your other records still open, and what you enter is saved.',
  damagedNext:
    'Afterword repairs the file the next time it opens your records. Lock Afterword and unlock it to repair the file now.',
  damagedRecording: 'If a recording is running, finish it first.',
  later: 'Later',
  lock: 'Lock Afterword',
  title: 'Afterword repaired your records',
  happened: ({ file, cause }: Pick<RecoveryReport, 'file' | 'cause'>): string => `${files[file]} ${causes[cause]}.`,
  parts: (unreadable: number, total: number): string =>
    `${plural(unreadable, '# part', '# parts')} of ${total} could not be read.`,
  setAside: (names: readonly string[]): string =>
    names.length === 1
      ? `Afterword deleted nothing. The damaged file is kept in the data folder as ${names[0]}.`
      : `Afterword deleted nothing. The damaged files are kept in the data folder as ${names.join(', ')}.`,
  recovered: 'Recovered',
  lost: 'Not recovered',
  allRecovered: 'Nothing is missing that Afterword knows of.',
  lostNext: 'If you have a copy of your data folder from before the damage, keep it: it may hold what is missing here.',
  unknownClient: 'Unknown client',
  noClient: 'Not of one client',
  unknownDate: 'Date unknown',
  line: (kind: RecoveryKind, count: number): string => plural(count, many[kind][0], many[kind][1]),
  done: 'I have read this',
  saving: 'Saving…',
  more: (count: number): string => `${plural(count, '# more report', '# more reports')} after this one.`,
} as const
