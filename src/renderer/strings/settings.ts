import type { Template } from '#contract/model/note.ts'
import { plural } from './plural.ts'

export const templateWords: Readonly<Record<Template, string>> = {
  soap: 'SOAP',
  dap: 'DAP',
  birp: 'BIRP',
  girp: 'GIRP',
  intake: 'Intake',
}

export const templateParts: Readonly<Record<Template, string>> = {
  soap: 'subjective, objective, assessment, plan',
  dap: 'data, assessment, plan',
  birp: 'behaviour, intervention, response, plan',
  girp: 'goals, intervention, response, plan',
  intake: 'a first visit',
}

export const settingsStrings = {
  title: 'Settings',
  lead: 'Each takes effect at once.',
  contents: 'Groups of settings',
  groups: {
    recording: 'Recording',
    notes: 'Notes',
    privacy: 'Privacy and erasing',
    practice: 'Practice and sync',
    look: 'Look',
    about: 'About',
  },
  saved: 'Saved.',
  save: 'Save',
  saving: 'Saving…',
  change: 'Change',
  remove: 'Remove',
  cancel: 'Cancel',
  wrongAddress: 'This is not a web address. It begins with http:// or https://.',
  microphone: {
    label: 'Microphone',
    text: (name: string): string => `New recordings listen through ${name}.`,
    system: 'The system’s own choice',
    gone: 'A microphone that is not here now',
    unnamed: (number: number): string => `Microphone ${number}`,
    names: 'The system tells the names of microphones after the first recording or room check.',
  },
  transcribe: {
    label: 'Write the transcript when a session ends',
    on: 'It is asked for as soon as you end a session.',
    off: 'It is written when you ask for it in the session.',
  },
  speech: {
    title: 'Speech server',
    none: 'No speech server is set up. Recordings are kept; transcripts can be brought in or typed.',
    set: (host: string): string => `Transcripts are written by the speech server at ${host}.`,
    here: 'It runs on this laptop, so the sound does not leave it.',
    elsewhere: 'The sound of a session is sent to that computer. The consent text says so.',
    address: 'Address',
    addressHelp: 'Of an OpenAI-compatible server, ending in /v1. Empty: none.',
    model: 'Model',
    modelHelp: 'As the server calls it. Empty: the server’s own choice.',
    language: 'Language spoken',
    languageHelp: 'For example en, de or pt-BR',
    languageWrong: 'This is not a language code, like en or pt-BR.',
    key: 'Key',
    keySet: 'A key is kept in the keychain of this computer.',
    keyNone: 'No key is kept. Many servers on this laptop need none.',
    keyAdd: 'Add a key',
    keyRemove: 'Remove the key',
    keyHelp: 'Kept in the keychain of this computer and nowhere else.',
    test: 'Test the speech server',
    testing: 'Asking the server…',
    ready: 'It answers and is ready. No sound was sent.',
    models: (count: number): string => `It offers ${plural(count, '# model', '# models')}.`,
    notReady: 'It is not ready.',
  },
  template: {
    label: 'Form of a new note',
    text: (parts: string): string => `A draft begins as ${parts}. You can choose another form in the session.`,
  },
  name: {
    label: 'Your name',
    text: (name: string): string => `Notes are signed by ${name}.`,
    missing: 'A note cannot be signed without a name.',
  },
  credential: {
    label: 'Credential or licence',
    text: 'It stands beside your name under every note.',
  },
  hideNames: {
    label: 'Hide names',
    on: 'Names are shown as initials everywhere.',
    off: 'Names are shown in full. Ctrl+Shift+H hides them.',
  },
  idle: {
    label: 'Lock by itself',
    text: (minutes: number): string =>
      minutes === 0
        ? 'The records stay open until you lock them.'
        : `The records lock after ${plural(minutes, '# minute', '# minutes')} without key or pointer. A recording goes on.`,
    never: 'Never',
    minutes: (minutes: number): string => plural(minutes, '# minute', '# minutes'),
  },
  protection: {
    label: 'How the records are locked',
    keychain: 'The key to your records is in the keychain of this computer.',
    passphrase: 'The key to your records is wrapped with your passphrase.',
    code: 'Your recovery code opens them too. It was shown once and is not kept here.',
  },
  erasing: {
    label: 'Erasing',
    text: 'A recording is erased in its session, under Consent and audio. Its key is destroyed first, so that nothing of the sound can come back.',
  },
  practiceName: { label: 'Practice', text: 'It stands at the head of exported notes. Empty: none.' },
  service: {
    title: 'Your practice’s service',
    embedded: 'Everything is kept on this laptop. Nothing is sent to a practice.',
    set: (host: string): string => `Changes are sent to ${host} when you are online.`,
    address: 'Address',
    addressHelp: 'Given by your practice, ending in /v1. Empty: this laptop alone.',
    keySet: 'A key is kept in the keychain of this computer.',
    keyNone: 'No key is kept yet. Your practice’s service asks for one.',
  },
  theme: {
    label: 'Light or dark',
    text: 'The look follows this choice, also on the lock screen.',
    system: 'As the system',
    light: 'Light',
    dark: 'Dark',
  },
  singleKeys: {
    label: 'Single-letter keys',
    on: 'P pauses, M marks, and so on, outside of text fields. The ? key lists them.',
    off: 'Only keys with Ctrl and function keys work.',
  },
  about: {
    version: (version: string): string => `Afterword ${version}`,
    electron: 'The desktop app.',
    preview: 'The preview: the same app in the browser of this computer, reachable from this computer alone.',
    engine:
      'Drafts are put together from the transcript on this laptop, without AI. Each sentence shows its source, and nothing counts until you sign.',
    shortcuts: 'Keyboard',
    shortcutsText: 'Press ? on any page for the list.',
    showShortcuts: 'Show the list',
  },
} as const
