import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import { textAskingToKeep } from '#domain/consent.ts'
import { listAtStart } from './lists.ts'
import { language, languageOf, type Language } from './locale.ts'
import { messages } from './messages.ts'

export const clientsStrings = messages.clients

export const { scopes: scopeWords, scopesInList, methods: consentMethodWords, roles: roleWords } = messages.consent

export const scopeList = (scopes: readonly ConsentScope[]): string =>
  listAtStart(scopes.map((scope) => messages.consent.scopesInList[scope]))

/** Names the language of the text that was read, if it is not the window's. */
export function consentMethod({ method, language: read }: Consent, words: Readonly<Record<Consent['method'], string>>): string {
  const of = languageOf(read)
  return of === undefined || of === language ? words[method] : messages.consent.methodIn[of]({ method: words[method] })
}

/** `speech_host` and `writer_host` are null unless a server on another computer transcribes or writes drafts. */
export type ConsentPlaces = Parameters<typeof messages.consent.text>[0]

/** The version is stored with the consent as proof of the wording. Change it whenever the wording of a language changes. */
export function consentTextVersion({ speech_host, writer_host, hasPractice }: ConsentPlaces, read: Language): string {
  return [
    textAskingToKeep,
    ...(hasPractice ? ['practice'] : ['laptop']),
    ...(speech_host === null ? [] : ['speech-server']),
    ...(writer_host === null ? [] : ['model-server']),
    ...(read === 'en' ? [] : [read]),
  ].join(' ')
}
