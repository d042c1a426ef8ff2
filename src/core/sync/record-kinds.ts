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
import type { IncomingRecord, MergedKind } from '#core/sync/merge/common.ts'

export type PulledKind = MergedKind | 'analysis'

interface RecordKindEntry {
  readonly schema: z.ZodType
  readonly list: OperationId
  /** Null if a record can be read only from the list. */
  readonly get: OperationId | null
  /** Page size, smaller for larger records, because a page is applied in one transaction. */
  readonly page: number
  readonly capability: string
  readonly plural: EventPayload<'records.changed'>['kinds'][number]
}

/** In this order, parents come before their children. */
export const recordKinds = {
  client: {
    schema: clientSchema,
    list: 'listClients',
    get: 'getClient',
    page: 200,
    capability: 'clients.write',
    plural: 'clients',
  },
  session: {
    schema: sessionSchema,
    list: 'listSessions',
    get: 'getSession',
    page: 200,
    capability: 'sessions.sync',
    plural: 'sessions',
  },
  consent: { schema: consentSchema, list: 'listConsents', get: null, page: 200, capability: 'consents', plural: 'consents' },
  transcript: {
    schema: transcriptSchema,
    list: 'listTranscripts',
    get: 'getTranscript',
    page: 10,
    capability: 'transcripts',
    plural: 'transcripts',
  },
  note: { schema: noteSchema, list: 'listNotes', get: 'getNote', page: 50, capability: 'notes', plural: 'notes' },
  template: {
    schema: ownTemplateSchema,
    list: 'listTemplates',
    get: 'getTemplate',
    page: 50,
    capability: 'templates',
    plural: 'templates',
  },
  analysis: {
    schema: analysisSchema,
    list: 'listAnalyses',
    get: 'getAnalysis',
    page: 20,
    capability: 'analyses',
    plural: 'insights',
  },
} as const satisfies Readonly<Record<PulledKind, RecordKindEntry>>

export const pulledKinds = Object.keys(recordKinds) as PulledKind[]

/** Kinds with a stored service version, and their tables. Every parent is of one of these kinds. */
export const versionedKinds = (['client', 'session', 'consent', 'transcript', 'note'] as const).map(
  (kind) => [kind, recordKinds[kind].plural] as const,
)

export const isPulled = (kind: string): kind is PulledKind => Object.hasOwn(recordKinds, kind)

export type Arrived = Extract<IncomingRecord, { record: object }> | { readonly kind: 'analysis'; readonly record: Analysis }

export interface RecordName {
  readonly kind: PulledKind
  readonly id: string
}

export function parentOf(arrived: Arrived): RecordName | null {
  if (arrived.kind === 'session' || arrived.kind === 'consent') return { kind: 'client', id: arrived.record.client_id }
  if (arrived.kind === 'client' || arrived.kind === 'template') return null
  return arrived.record.session_id === null ? null : { kind: 'session', id: arrived.record.session_id }
}

export const isWithheld = (arrived: Arrived): boolean => arrived.kind === 'note' && (arrived.record.withheld ?? []).length > 0

/** True for a document without a session, which no page shows. */
export const hasNoPlace = (arrived: Arrived): boolean => 'session_id' in arrived.record && arrived.record.session_id === null
