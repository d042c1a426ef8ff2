import type { ConsentScope } from '#contract/model/consent.ts'
import { textAskingToKeep } from '#domain/consent.ts'
import { listAtStart } from './lists.ts'
import { messages } from './messages.ts'

export const clientsStrings = messages.clients

export const { scopes: scopeWords, scopesInList, methods: consentMethodWords, roles: roleWords } = messages.consent

export const scopeList = (scopes: readonly ConsentScope[]): string =>
  listAtStart(scopes.map((scope) => messages.consent.scopesInList[scope]))

/** `speech_host` and `writer_host` are null unless a server on another computer transcribes or writes drafts. */
export const consentText = messages.consent.text

export type ConsentPlaces = Parameters<typeof consentText>[0]

/** The version is stored with the consent as proof of the wording. Change it whenever the wording changes. */
export function consentTextVersion({ speech_host, writer_host, hasPractice }: ConsentPlaces): string {
  return [
    textAskingToKeep,
    ...(hasPractice ? ['practice'] : ['laptop']),
    ...(speech_host === null ? [] : ['speech-server']),
    ...(writer_host === null ? [] : ['model-server']),
  ].join(' ')
}
