import { isDeepStrictEqual } from 'node:util'
import { allPages } from '#client/answer.ts'
import type { ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import { clientDraftSchema } from '#contract/model/client.ts'
import { consentDraftSchema } from '#contract/model/consent.ts'
import type { Note } from '#contract/model/note.ts'
import { sessionDraftSchema } from '#contract/model/session.ts'
import { orNull } from '#core/outbox/sending.ts'
import { type Fields, fieldsOf } from '#core/outbox/three-way.ts'
import { contentHash, hashTranscript, isSignedOverErased, withoutQuotes } from '#core/records/content-hash.ts'
import type { Repositories } from '#core/records/repositories.ts'
import type { IncomingRecord, MergedKind } from '#core/sync/merge/common.ts'
import { hashTemplate } from '#core/sync/merge/merge-documents.ts'
import { recordKinds } from '#core/sync/record-kinds.ts'
import type { Compared } from './migration-repository.ts'

export type OwnRepositories = Pick<Repositories, 'clients' | 'consents' | 'sessions' | 'templates' | 'transcripts' | 'notes'>

interface Who {
  readonly person_id: string
  readonly therapist_id: string
  readonly is_owner: boolean
}

export interface Target {
  readonly client: ServiceClient
  readonly own: OwnRepositories
  readonly who: Who
  readonly signal: AbortSignal
  readonly over: boolean
}

export type Found = Extract<IncomingRecord, { record: object }>

export function clinicianThere({ person_id, therapist_id, is_owner }: Who, clinician_id: string | null): string | null {
  if (clinician_id === null) return is_owner ? null : person_id
  return clinician_id === therapist_id ? person_id : clinician_id
}

export function withClinicians(own: OwnRepositories, who: Who): OwnRepositories {
  const clients: OwnRepositories['clients'] = {
    ...own.clients,
    find(id) {
      const client = own.clients.find(id)
      return client && { ...client, clinician_id: clinicianThere(who, client.clinician_id) }
    },
  }
  const sessions: OwnRepositories['sessions'] = {
    ...own.sessions,
    find(id) {
      const session = own.sessions.find(id)
      const clinician_id = session && (session.clinician_id ?? own.clients.find(session.client_id)?.clinician_id ?? null)
      return session && { ...session, clinician_id: clinicianThere(who, clinician_id) }
    },
  }
  return { ...own, clients, sessions }
}

export function findHere({ own }: Target, kind: MergedKind, id: string): Found | null {
  const record = own[`${kind}s`].find(id)
  return record && ({ kind, record } as Found)
}

export function contentOf(here: Found): Fields {
  if (here.kind === 'client') return withoutId(clientDraftSchema.parse(here.record))
  if (here.kind === 'consent') return withoutId({ ...consentDraftSchema.parse(here.record), revoked_at: here.record.revoked_at })
  if (here.kind === 'session') {
    const { started_at, finished_at } = here.record
    return withoutId({ ...sessionDraftSchema.parse(here.record), started_at, finished_at })
  }
  const content = documentHash(here)
  return here.kind === 'note' ? { content, signature: here.record.signature, addenda: here.record.addenda } : { content }
}

const withoutId = (draft: object): Fields => Object.fromEntries(Object.entries(draft).filter(([name]) => name !== 'id'))

export function documentHash(found: Found): string | null {
  if (found.kind === 'template') return hashTemplate(found.record)
  if (found.kind === 'transcript') return hashTranscript(found.record)
  return found.kind === 'note' ? contentHash(found.record) : null
}

export function differing(there: object, wanted: Fields): string[] {
  const current = fieldsOf(there)
  return Object.keys(wanted).filter((name) => wanted[name] !== undefined && !isSame(name, current[name], wanted[name]))
}

function isSame(name: string, left: unknown, right: unknown): boolean {
  const isTime = name.endsWith('_at') && typeof left === 'string' && typeof right === 'string'
  if (isTime) return Date.parse(left) === Date.parse(right)
  return isDeepStrictEqual(left ?? null, right ?? null)
}

export async function readThere({ client, signal }: Target, { kind, record: { id, ...about } }: Found): Promise<Found> {
  const { get } = recordKinds[kind]
  if (get !== null) return { kind, record: (await client.call(get as 'getClient', { params: { id }, signal })).data } as Found
  const query = 'client_id' in about ? { client_id: String(about.client_id) } : {}
  const listed = await allPages((page) => client.call('listConsents', { query: { ...query, ...page }, signal }))
  const record = listed.find((one) => one.id === id)
  if (record === undefined) throw new AppError('not-found')
  return { kind, record } as Found
}

export async function compare(target: Target, kind: MergedKind, id: string): Promise<Compared | null> {
  const here = findHere(target, kind, id)
  const there = here && (await orNull(readThere(target, here)))
  if (here === null || there === null) return null
  const content = documentHash(asErased(here, there))
  const current = content === null ? there.record : { ...there.record, content }
  return { version: there.record.version, differing: differing(current, contentOf(here)) }
}

function asErased(here: Found, there: Found): Found {
  if (here.kind !== 'note' || here.record.redacted === undefined || !isSignedOverErased(here.record)) return there
  return { kind: 'note', record: withoutQuotes(there.record as Note, here.record.redacted.at) }
}
