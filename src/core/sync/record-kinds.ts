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
import type { RecordSort } from '#contract/bridge/moving.ts'
import type { IncomingRecord, MergedKind } from '#core/sync/merge/common.ts'

export type PulledKind = MergedKind | 'analysis'

interface RecordKindEntry {
  readonly schema: z.ZodType
  readonly list: OperationId
  readonly get: OperationId | null
  readonly create?: OperationId
  readonly update?: OperationId
  /** Page size. A page is one short transaction, and a transcript is as large as a hundred clients. */
  readonly page: number
  readonly capability: string
  readonly shown: EventPayload<'records.changed'>['kinds'][number]
  readonly sort: RecordSort | null
  readonly versions: 'clients' | 'sessions' | 'consents' | 'transcripts' | 'notes' | null
}

/** Parents before their children. */
export const recordKinds = {
  client: {
    schema: clientSchema,
    list: 'listClients',
    get: 'getClient',
    create: 'createClient',
    update: 'updateClient',
    page: 200,
    capability: 'clients.write',
    shown: 'clients',
    sort: 'clients',
    versions: 'clients',
  },
  session: {
    schema: sessionSchema,
    list: 'listSessions',
    get: 'getSession',
    create: 'createSession',
    update: 'updateSession',
    page: 200,
    capability: 'sessions.sync',
    shown: 'sessions',
    sort: 'sessions',
    versions: 'sessions',
  },
  consent: {
    schema: consentSchema,
    list: 'listConsents',
    get: null,
    page: 200,
    capability: 'consents',
    shown: 'consents',
    sort: 'consents',
    versions: 'consents',
  },
  transcript: {
    schema: transcriptSchema,
    list: 'listTranscripts',
    get: 'getTranscript',
    page: 10,
    capability: 'transcripts',
    shown: 'transcripts',
    sort: 'transcripts',
    versions: 'transcripts',
  },
  note: {
    schema: noteSchema,
    list: 'listNotes',
    get: 'getNote',
    page: 50,
    capability: 'notes',
    shown: 'notes',
    sort: 'notes',
    versions: 'notes',
  },
  template: {
    schema: ownTemplateSchema,
    list: 'listTemplates',
    get: 'getTemplate',
    page: 50,
    capability: 'templates',
    shown: 'templates',
    sort: 'templates',
    versions: null,
  },
  analysis: {
    schema: analysisSchema,
    list: 'listAnalyses',
    get: 'getAnalysis',
    page: 20,
    capability: 'analyses',
    shown: 'insights',
    sort: null,
    versions: null,
  },
} as const satisfies Readonly<Record<PulledKind, RecordKindEntry>>

export const pulledKinds = Object.keys(recordKinds) as PulledKind[]

type VersionedKind = { [Kind in PulledKind]: (typeof recordKinds)[Kind]['versions'] extends null ? never : Kind }[PulledKind]

export const versionedKinds = pulledKinds.flatMap((kind) => {
  const { versions } = recordKinds[kind]
  return versions === null ? [] : [[kind as VersionedKind, versions] as const]
})

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

function ofSession(arrived: Arrived): arrived is Arrived & { kind: 'transcript' | 'note' | 'analysis' } {
  return arrived.kind === 'transcript' || arrived.kind === 'note' || arrived.kind === 'analysis'
}

/** True if this person may not see the note's content, so that there is nothing to store or edit. */
export function isWithheld(arrived: Arrived): boolean {
  return arrived.kind === 'note' && (arrived.record.withheld ?? []).length > 0
}

/** True for a document that another program made from text alone, so no session's page can show it. */
export function hasNoPlace(arrived: Arrived): boolean {
  return ofSession(arrived) && arrived.record.session_id === null
}
