/** Of the window and of texts for clients. Each has a catalogue. */
export type Language = 'en' | 'es'

export const languages: readonly Language[] = ['en', 'es']

/** In localStorage, because the lock screen needs the language before the settings are readable. */
const keptUnder = 'afterword.language'

/** Undefined without a catalogue. */
export const languageOf = (tag: string | null): Language | undefined =>
  languages.find((language) => tag?.split('-')[0]?.toLowerCase() === language)

export const systemLanguage: Language = languageOf(navigator.language) ?? 'en'

/** Undefined follows the system. `language` changes when the window is loaded again. */
export const chosenLanguage = (): Language | undefined =>
  typeof localStorage === 'undefined' ? undefined : languageOf(localStorage.getItem(keptUnder))

export function chooseLanguage(language: Language | undefined): void {
  if (language === undefined) localStorage.removeItem(keptUnder)
  else localStorage.setItem(keptUnder, language)
}

export const language: Language = chosenLanguage() ?? systemLanguage

export const catalogLanguage = `${language}-US`

let system = Intl.DateTimeFormat().resolvedOptions().locale
let chosen: string | null = null

/** The locale of dates, times, numbers and weeks: the chosen region, in the language of the catalogue. */
export const locale = (): string => `${language}-${new Intl.Locale(chosen ?? system).maximize().region ?? 'US'}`

/** `undefined` keeps the value: while the records are locked, the choice is unknown. */
export function followLocale(next: { readonly system: string | undefined; readonly chosen: string | null | undefined }): void {
  if (next.system !== undefined) system = next.system
  if (next.chosen !== undefined) chosen = next.chosen
}

export const offeredLocales: readonly string[] = ['en-US', 'en-CA', 'en-GB', 'en-AU']

/** The region whose formats the locale uses, for example "United States". */
export const localeName = (tag: string): string => {
  const { region = 'US' } = new Intl.Locale(tag).maximize()
  return new Intl.DisplayNames(catalogLanguage, { type: 'region' }).of(region) ?? region
}
