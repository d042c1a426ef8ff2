import type { Settings } from '#contract/bridge/settings.ts'
import { writerWords } from '#renderer/strings/engines.ts'

type Writer = Settings['language_engine']

/** A local model is offered if the app can run one, or if it is already selected. */
export function writerChoices(chosen: Writer, isOffered: boolean) {
  const writers: readonly Writer[] = ['rules', 'server', 'model']
  const { options } = writerWords.choice
  return writers
    .filter((value) => value !== 'model' || isOffered || chosen === 'model')
    .map((value) => ({ value, ...options[value] }))
}
