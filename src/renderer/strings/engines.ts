import type { ModelTask } from '#contract/model/speech-model.ts'
import type { Settings } from '#contract/bridge/settings.ts'
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

export const writerWords = {
  title: 'Draft writer',
  choice: {
    label: 'Drafts are written',
    options: {
      rules: { label: 'Without AI', detail: 'by fixed rules, on this laptop' },
      server: { label: 'By a model server', detail: 'an AI model behind an address' },
      model: { label: 'By a model on this laptop', detail: 'an AI model in a file' },
    },
    rules: 'By fixed rules, on this laptop. It is not AI: it puts together what was said, and nothing leaves the laptop.',
    byModel: (model: string | null): string =>
      `By an AI model${model === null ? '' : ` (${model})`}. It can be wrong. What it says is held against the words of the session, and what they do not bear out is left out.`,
  },
  where: {
    label: 'Where the words go',
    none: 'No address is given yet, so no draft can be written this way.',
    here: (host: string): string => `To ${host}, on this laptop. They do not leave it.`,
  },
  elsewhere: {
    title: (host: string): string => `The words of your sessions leave this laptop, to ${host}.`,
    text: 'For each draft, everything that was said is sent there as text, names that were spoken included. The sound is not, nor the name in your records. Whoever runs that computer can read it: make sure that your agreements and your law allow it. The consent text says where the words go.',
  },
  local: {
    notOffered: 'The installed app can’t run an AI model on this laptop.',
    notOfferedHelp: 'Your drafts and notes are safe. Choose a model server, or have drafts written without AI.',
    notInstalled: 'What runs models on this laptop is not installed.',
    notInstalledHelp: 'In the Afterword source folder, run: npm run llama. This downloads about 100 MB.',
    folder: 'Folder for models',
    folderText: (folder: string): string =>
      `Put a model in the GGUF format into ${folder}. A model for 8 GB of memory has about 2 to 5 GB.`,
    none: 'There is no model in it yet.',
    file: 'Model',
    fileText: (name: string | null): string => (name === null ? 'None is chosen yet.' : `Drafts are written by ${name}.`),
    size: (bytes: number): string =>
      bytes < 1e9 ? `${Math.max(1, Math.round(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`,
    gone: 'no longer there',
    look: 'Look again',
    stays: 'Nothing leaves the laptop. A long session may take many minutes on a laptop without a graphics card.',
  },
  address: 'Address',
  addressHelp: 'Of an OpenAI-compatible server, ending in /v1. For example Ollama, llama.cpp, LM Studio, vLLM.',
  model: 'Model',
  modelHelp: 'As the server calls it. The test lists what it offers.',
  offered: 'Models it offers',
  modelChoice: (model: string | null): string => (model === null ? 'None is chosen yet.' : `Drafts are written by ${model}.`),
  context: 'Context size',
  contextHelp: 'In tokens, as the server runs it. Empty: as the server says. A long session is read in parts that fit.',
  contextWrong: 'A whole number of at least 1024, or nothing.',
  keySet: 'A key is kept in the keychain of this computer.',
  keyNone: 'No key is kept. Servers on this laptop need none.',
  test: 'Test the model server',
  testing: 'Asking the server…',
  ready: 'It answers and is ready. No words of a session were sent.',
  models: (count: number): string => `It offers ${plural(count, '# model', '# models')}.`,
  notReady: 'It is not ready.',

  draft: {
    waiting: 'Waiting for its turn…',
    cancel: 'Stop',
    stopped: 'The draft was stopped.',
    notReady: 'The draft writer that is chosen is not ready.',
    notReadyHelp: 'It begins by itself once it is. Test it in Settings, or write this draft without AI.',
    failedAgain: 'A new draft could not be written. The one you had is as it was.',
    settings: 'Open Settings',
    withoutAi: 'Write it without AI',
    notNow: 'Leave it at that',
    byModel: (model: string | null): string =>
      `The draft is written by an AI model${model === null ? '' : ` (${model})`}. You check every sentence before you sign.`,
    sentTo: (host: string): string => `What was said is sent to ${host}.`,
  },
} as const

type Writer = Settings['language_engine']

/** A local model is offered if the app can run one, or if it is already selected. */
export function writerChoices(chosen: Writer, isOffered: boolean) {
  const writers: readonly Writer[] = ['rules', 'server', 'model']
  const { options } = writerWords.choice
  return writers
    .filter((value) => value !== 'model' || isOffered || chosen === 'model')
    .map((value) => ({ value, ...options[value] }))
}
