import type { ModelTask } from '#contract/model/speech-model.ts'
import { listOfNames, plural } from './plural.ts'

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

export const modelStrings = {
  group: 'Speech on this laptop',
  none: 'No speech model is installed, so this laptop writes no transcripts yet. Recordings are kept.',
  half: 'The model that hears words is there. The small one that finds where somebody speaks is missing.',
  ready: (name: string): string => `Transcripts can be written on this laptop, by ${name}.`,
  otherLanguage: (name: string, code: string): string =>
    `${name} does not know ${languageNames.of(code.split('-')[0] ?? code) ?? code}, the language you set. Install one that does, or change the language.`,
  asked: 'Nothing is fetched unless you ask for it here.',
  voices: 'Voices are told apart here.',
  noVoices: 'Voices are not told apart yet: that takes the two small models below.',
  elsewhere: 'Your practice’s server does the transcription. The person who runs the server manages its models.',
  set: {
    title: 'Suits this laptop',
    text: (names: readonly string[], memory: string): string =>
      `With ${memory} of memory and the language you set: ${listOfNames(names)}.`,
    install: (size: string): string => `Install these (${size})`,
    space: (free: string): string => `${free} are free on the disk.`,
  },
  tasks: {
    recognition: 'Hear words',
    vad: 'Find speech',
    segmentation: 'Part the turns',
    embedding: 'Tell voices apart',
    denoise: 'Take noise away',
  } satisfies Record<ModelTask, string>,
  noise: {
    label: 'Take noise away before words are heard',
    text: 'Helps beside a fan or a road. In a quiet room leave it off: it takes a little of the voices too.',
  },
  showAll: (count: number): string => `Show ${plural(count, '# other model', '# other models')}`,
  showFew: 'Show fewer',
  recommended: 'Suits this laptop',
  inUse: 'In use',
  installed: 'Installed',
  damaged: 'Damaged',
  own: 'Your own',
  size: (megabytes: number): string =>
    megabytes >= 1000
      ? `${(megabytes / 1000).toFixed(1)} GB`
      : `${megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes)} MB`,
  memory: (megabytes: number): string => `about ${(megabytes / 1000).toFixed(1)} GB of memory while it works`,
  languages(codes: readonly string[], asked: string): string {
    const spoken = asked.split('-')[0] ?? asked
    if (codes.length === 0) return 'any language'
    const hasAsked = codes.includes(spoken)
    if (codes.length <= 3) return listOfNames(codes.map((code) => languageNames.of(code) ?? code))
    return `${codes.length} languages, ${hasAsked ? '' : 'not '}${languageNames.of(spoken) ?? spoken}`
  },
  languageUnknown: 'its language is not known here',
  hour: {
    measured: (minutes: number): string =>
      minutes < 1 ? 'an hour takes less than 1 min here' : `an hour takes about ${Math.round(minutes)} min here`,
    unknown: 'how long an hour takes is tried out when it is installed',
    untested: 'not tried out yet',
  },
  waits: 'Waits its turn',
  coming: (done: string, all: string): string => `${done} of ${all}. While the records are locked it waits, and goes on after.`,
  trying: 'Trying it out on a few seconds of speech',
  progressName: (name: string): string => `Installing ${name}`,
  quarter: (name: string, percent: number): string => `${name}: ${percent}% installed`,
  kept: (size: string): string => `${size} of it are here from an attempt that was cut off.`,
  install: 'Install',
  installNamed: (name: string): string => `Install ${name}`,
  goOn: 'Go on',
  again: 'Try again',
  repair: 'Install again',
  stop: 'Stop',
  stopNamed: (name: string): string => `Stop installing ${name}`,
  use: 'Use this one',
  useNamed: (name: string): string => `Use ${name}`,
  test: 'Try it out',
  testNamed: (name: string): string => `Try out ${name}`,
  testing: 'Trying…',
  remove: 'Remove',
  removeNamed: (name: string): string => `Remove ${name}`,
  removing: 'Removing…',
  discard: 'Discard',
  changed: 'A file of it was changed since it was installed, so it is not loaded.',
  unchecked:
    'Its source’s checksum was not known here. Its own was written down when it came, so that later changes are noticed.',
  checkedBySource: 'Checked against the list of its source.',
  checkedHere: 'Checked against the checksum this app knows.',
  licence: (licence: string): string => `Licence: ${licence}`,
  removal: {
    title: (name: string): string => `Remove ${name}?`,
    lead: (size: string): string => `This frees ${size}. Recordings, transcripts and notes stay. You can install it again.`,
    keep: 'Keep it',
    remove: 'Remove it',
  },
  import: {
    title: 'Bring models in from files',
    text: 'For a laptop without internet: copy the files of a model into a folder as their source publishes them, and give the folder here.',
    path: 'Folder',
    pathHelp: 'The whole path, for example /media/stick/models',
    name: 'Name, for a model of your own',
    nameHelp: 'Only for a model that is not in the list above. Empty: one of the list.',
    bring: 'Bring in',
    bringing: 'Copying and checking…',
    missing: 'Give the folder first.',
    done: (names: readonly string[]): string =>
      names.length === 0 ? 'Nothing was brought in.' : `Brought in: ${listOfNames(names)}.`,
  },
  mirror: {
    label: 'Mirror for models',
    help: 'An address of your practice that stands in for the models’ sources, with the same paths. Empty: the sources themselves.',
  },
} as const
