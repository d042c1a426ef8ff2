import { plural } from './plural.ts'

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
