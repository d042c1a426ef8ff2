import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { capitalized, listOfNames } from './lists.ts'
import { messages } from './messages.ts'

export const clientsStrings = messages.clients

export const scopeWords: Readonly<Record<ConsentScope, string>> = messages.consent.scopes
export const consentMethodWords: Readonly<Record<Consent['method'], string>> = messages.consent.methods
export const roleWords: Readonly<Record<Participant['role'], string>> = messages.consent.roles

export const scopeList = (scopes: readonly ConsentScope[]): string =>
  capitalized(listOfNames(scopes.map((scope) => messages.consent.scopesInList[scope])))

export interface ConsentPlaces {
  /** The host of a remote speech server, or null if speech recognition is local or off. */
  readonly speech_host: string | null
  /** The host of a remote model server that writes drafts, or null if drafts are written locally. */
  readonly writer_host: string | null
  readonly hasPractice: boolean
}

/** Stored with the consent as proof of the wording. Change it whenever the wording changes. */
export function consentTextVersion({ speech_host, writer_host, hasPractice }: ConsentPlaces): string {
  return [
    'read-aloud-2026-1',
    ...(hasPractice ? ['practice'] : ['laptop']),
    ...(speech_host === null ? [] : ['speech-server']),
    ...(writer_host === null ? [] : ['model-server']),
  ].join(' ')
}

/** The text must say only what happens with the current settings. */
export const consentText = (places: ConsentPlaces): string => messages.consent.text({ ...places })
