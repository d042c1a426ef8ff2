import type { z } from 'zod'
import type { EventPayload } from '#contract/bridge/events.ts'
import { type Analysis, analysisSchema } from '#contract/model/analysis.ts'
import { clientSchema } from '#contract/model/client.ts'
import { consentSchema } from '#contract/model/consent.ts'
import { noteSchema } from '#contract/model/note.ts'
import { sessionSchema } from '#contract/model/session.ts'
import { ownTemplateSchema } from '#contract/model/template.ts'
import { transcriptSchema } from '#contract/model/transcript.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import type { IncomingRecord, MergedKind } from '#core/sync/merge/incoming.ts'

export type PulledKind = MergedKind | 'analysis'

interface Pulled {
  readonly schema: z.ZodType
  readonly list: OperationId
  /** Null where only a list shows it. */
  readonly get: OperationId | null
  /** A page is one transaction, so that it is short: a transcript is as large as a hundred clients. */
  readonly page: number
  /** Where a service says that it offers the list. */
  readonly capability: string
  readonly shown: EventPayload<'records.changed'>['kinds'][number]
}

/** Parents stand before their children. */
export const pulled: Readonly<Record<PulledKind, Pulled>> = {
  client: {
    schema: clientSchema,
    list: 'listClients',
    get: 'getClient',
    page: 200,
    capability: 'clients.write',
    shown: 'clients',
  },
  session: {
    schema: sessionSchema,
    list: 'listSessions',
    get: 'getSession',
    page: 200,
    capability: 'sessions.sync',
    shown: 'sessions',
  },
  consent: { schema: consentSchema, list: 'listConsents', get: null, page: 200, capability: 'consents', shown: 'consents' },
  transcript: {
    schema: transcriptSchema,
    list: 'listTranscripts',
    get: 'getTranscript',
    page: 10,
    capability: 'transcripts',
    shown: 'transcripts',
  },
  note: { schema: noteSchema, list: 'listNotes', get: 'getNote', page: 50, capability: 'notes', shown: 'notes' },
  template: {
    schema: ownTemplateSchema,
    list: 'listTemplates',
    get: 'getTemplate',
    page: 50,
    capability: 'templates',
    shown: 'templates',
  },
  analysis: {
    schema: analysisSchema,
    list: 'listAnalyses',
    get: 'getAnalysis',
    page: 20,
    capability: 'analyses',
    shown: 'insights',
  },
}

export const pulledKinds = Object.keys(pulled) as PulledKind[]

export const isPulled = (kind: string): kind is PulledKind => Object.hasOwn(pulled, kind)

export type Arrived = Extract<IncomingRecord, { record: object }> | { readonly kind: 'analysis'; readonly record: Analysis }

export interface RecordName {
  readonly kind: PulledKind
  readonly id: string
}

/** What has to be here before it. */
export function parentOf(arrived: Arrived): RecordName | null {
  if (arrived.kind === 'session' || arrived.kind === 'consent') return { kind: 'client', id: arrived.record.client_id }
  if (arrived.kind === 'client' || arrived.kind === 'template') return null
  return arrived.record.session_id === null ? null : { kind: 'session', id: arrived.record.session_id }
}

function ofSession(arrived: Arrived): arrived is Arrived & { kind: 'transcript' | 'note' | 'analysis' } {
  return arrived.kind === 'transcript' || arrived.kind === 'note' || arrived.kind === 'analysis'
}

/** Whoever asks does not see what it says: there are no words to keep, and none to write on. */
export function isWithheld(arrived: Arrived): boolean {
  return arrived.kind === 'note' && (arrived.record.withheld ?? []).length > 0
}

/** Made from words alone, for another program: there is no session on whose page it could stand. */
export function hasNoPlace(arrived: Arrived): boolean {
  return ofSession(arrived) && arrived.record.session_id === null
}
