let system = Intl.DateTimeFormat().resolvedOptions().locale
let chosen: string | null = null

/** The locale of dates, times, numbers and weeks. Sentences and lists stay in the language of the catalog. */
export const locale = (): string => chosen ?? system

export const catalogLanguage = 'en-US'

/** `undefined` keeps the value: while the records are locked, the choice is unknown. */
export function followLocale(next: { readonly system: string | undefined; readonly chosen: string | null | undefined }): void {
  if (next.system !== undefined) system = next.system
  if (next.chosen !== undefined) chosen = next.chosen
}

export const offeredLocales: readonly string[] = ['en-US', 'en-CA', 'en-GB', 'en-AU', 'es-US']

/** "English (United States)" */
export const localeName = (tag: string): string =>
  new Intl.DisplayNames(catalogLanguage, { type: 'language', languageDisplay: 'standard' }).of(tag) ?? tag
