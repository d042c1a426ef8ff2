import type { Settings } from '#contract/bridge/settings.ts'
import { listOfNames } from './lists.ts'
import { catalogLanguage } from './locale.ts'
import { messages } from './messages.ts'
import { formatBytes, formatNumber } from './time.ts'

const { models, writer } = messages
const languageNames = new Intl.DisplayNames(catalogLanguage, { type: 'language' })

/** For example "German" for `de-AT`. */
function languageOf(code: string): string {
  const language = code.split('-')[0] ?? code
  return languageNames.of(language) ?? language
}

const decimal = (value: number): string => formatNumber(value, 1)

export const modelStrings = {
  ...models,
  otherLanguage: (name: string, code: string): string => models.otherLanguage({ name, language: languageOf(code) }),
  size: (megabytes: number): string =>
    megabytes < 10 ? messages.size.megabytes({ size: decimal(megabytes) }) : formatBytes(megabytes * 1e6),
  memory: (megabytes: number): string => models.memory({ gigabytes: decimal(megabytes / 1000) }),
  languages(codes: readonly string[], asked: string): string {
    if (codes.length === 0) return models.anyLanguage
    if (codes.length <= 3) return listOfNames(codes.map((code) => languageNames.of(code) ?? code))
    const hasAsked = codes.includes(asked.split('-')[0] ?? asked)
    return models.manyLanguages({ count: codes.length, hasAsked, language: languageOf(asked) })
  },
  hour: {
    ...models.hour,
    measured: (minutes: number): string => models.hour.measured({ minutes: minutes < 1 ? 0 : Math.round(minutes) }),
  },
}

export const writerWords = {
  ...writer,
  local: { ...writer.local, size: (bytes: number): string => formatBytes(Math.max(1e6, bytes)) },
}

type Writer = Settings['language_engine']

export function writerChoices(chosen: Writer, isOffered: boolean) {
  const writers: readonly Writer[] = ['rules', 'server', 'model']
  return writers
    .filter((value) => value !== 'model' || isOffered || chosen === 'model')
    .map((value) => ({ value, ...writer.choice.options[value] }))
}
