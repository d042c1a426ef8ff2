import type { SpeechModel } from '#contract/model/speech-model.ts'

/** `language` as it is set, with its region; models know none of those. */
export function knowsLanguage({ languages }: Pick<SpeechModel, 'languages'>, language: string): boolean {
  return languages.length === 0 || languages.includes(language.split('-')[0] ?? language)
}
