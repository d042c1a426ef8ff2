import type { MovedKind } from '#contract/bridge/moving.ts'
import { bringNote, bringTemplate, bringTranscript, compareNote, compareTemplate, compareTranscript } from './bring-documents.ts'
import { bringClient, bringConsent, bringSession, compareClient, compareConsent, compareSession } from './bring-records.ts'
import type { Bringing, Brought, Compared, Untold } from './target.ts'

type Own = Exclude<MovedKind, 'hours' | 'authorisation'>

/** Sends a record as it stands here; null where it is here no more. */
export const bring: Readonly<Record<Own, (bringing: Bringing) => Promise<Brought | Untold | null>>> = {
  template: bringTemplate,
  client: bringClient,
  consent: bringConsent,
  session: bringSession,
  transcript: bringTranscript,
  note: bringNote,
}

/** Reads it there, and says what is otherwise than here. */
export const compare: Readonly<Record<Own, (bringing: Bringing) => Promise<Compared>>> = {
  template: compareTemplate,
  client: compareClient,
  consent: compareConsent,
  session: compareSession,
  transcript: compareTranscript,
  note: compareNote,
}

/** What has to be there before it. */
export const parentOf = {
  template: null,
  client: null,
  consent: 'client',
  session: 'client',
  transcript: 'session',
  note: 'session',
} as const satisfies Record<Own, Own | null>
