import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { byId, pageOf, pageQuerySchema } from '../model/common.ts'

export const roles = ['owner', 'clinician', 'supervisor', 'front_desk', 'biller', 'auditor'] as const
export type Role = (typeof roles)[number]

/**
 * Which records a role may access: `all` of the practice; `caseload`, the caller's own clients; `supervised`, also the clients of
 * supervisees; `limited`, all records but only some fields; `own`, the caller's own work; `none`.
 */
export type Reach = 'all' | 'caseload' | 'supervised' | 'limited' | 'own' | 'none'
export type Reaches = Readonly<Record<Role, Reach>>

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly published: boolean
  readonly counted: boolean
  readonly reach: Reaches
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly beyondNeedsPurpose?: boolean
  readonly answers: Readonly<Record<number, z.ZodType | null>>
  readonly failures: readonly ErrorCode[]
  /** True if the call can answer 202 with an operation. */
  readonly longRunning?: boolean
  /** True for a POST that emergency access (break-glass) allows as if it were a GET. */
  readonly reads?: boolean
  readonly conditional?: boolean
  readonly bodyLimit?: number
  readonly bodyLimitOf?: (body: unknown) => number
  /** `in`: a call of the tus protocol; its body, if any, is raw bytes. `out`: the answer may be streamed. */
  readonly stream?: 'in' | 'out'
  readonly media?: readonly string[]
  /** If two operations have the same method and path, a request with this header calls this one. */
  readonly when?: string
}

export const commonFailures = [
  'bad-request',
  'validation-failed',
  'unauthenticated',
  'too-many-refusals',
  'sign-in-unavailable',
  'forbidden',
  'purpose-missing',
  'method-not-allowed',
  'unsupported-media',
  'too-large',
  'too-many-bytes',
  'idempotency-mismatch',
  'still-running',
  'quota-exceeded',
  'gone',
  'practice-moved',
  'service-unreachable',
  'internal',
] as const satisfies readonly ErrorCode[]

type Defaulted = 'published' | 'counted' | 'failures'
type Details = Omit<Route, 'method' | 'path' | 'summary' | 'reach' | Defaulted> &
  Partial<Pick<Route, Exclude<Defaulted, 'counted'>>>

const routeBy =
  (method: Route['method']) =>
  <const Given extends Details>(path: string, summary: string, reach: Reaches, given: Given) => {
    const { published = false, failures = [] } = given
    return { ...given, method, path, summary, reach, published, counted: published, failures }
  }

export const get = routeBy('GET')
export const post = routeBy('POST')
export const put = routeBy('PUT')
export const patch = routeBy('PATCH')
export const remove = routeBy('DELETE')

export function one<Schema extends z.ZodType>(record: string, schema: Schema) {
  return { params: byId(record), answers: { 200: schema }, failures: ['not-found'] } as const
}

export function page<Item extends z.ZodType>(item: Item) {
  return { query: pageQuerySchema, answers: { 200: pageOf(item) } } as const
}

export function changing<Body extends z.ZodType, Schema extends z.ZodType>(
  record: string,
  body: Body,
  schema: Schema,
  ...more: ErrorCode[]
) {
  const failures: ErrorCode[] = ['not-found', ...more, 'stale-version', 'version-required']
  return { params: byId(record), body, answers: { 200: schema }, failures, conditional: true } as const
}

export function storing<Body extends z.ZodType, Schema extends z.ZodType>(...given: Parameters<typeof changing<Body, Schema>>) {
  const [, , schema] = given
  return { ...changing(...given), answers: { 200: schema, 201: schema } } as const
}

const nobody: Reaches = {
  owner: 'none',
  clinician: 'none',
  supervisor: 'none',
  front_desk: 'none',
  biller: 'none',
  auditor: 'none',
}

export function reach(reaches: Partial<Reaches>): Reaches {
  return { ...nobody, ...reaches }
}

export const everyone: Reaches = reach(Object.fromEntries(roles.map((role) => [role, 'all'])) as Record<Role, 'all'>)
export const treating: Reaches = reach({ owner: 'caseload', clinician: 'caseload', supervisor: 'supervised' })
export const clinical: Reaches = { ...treating, owner: 'all' }
/** Supervisors sign notes only on their own caseload. They cosign or return a supervisee's notes. */
export const signers: Reaches = reach({ owner: 'caseload', clinician: 'caseload', supervisor: 'caseload' })
export const askers: Reaches = { ...treating, front_desk: 'own', biller: 'own' }

const MIB = 1024 * 1024

export const MAX_BODY_BYTES = MIB
export const MAX_TRANSCRIPT_BYTES = 16 * MIB
const MAX_TEXT_TRANSCRIPT_BYTES = 4 * MIB
/** Enough for the JSON of one word with its times, even if indented. */
const BYTES_PER_WORD = 200

/** Bytes one person may send at once, audio included. The allowance refills by `BYTES_PER_SECOND`. */
export const MAX_BURST_BYTES = 256 * MIB
export const BYTES_PER_SECOND = 2 * MIB
/** Limit for all request bodies of one person that are in memory at once. Streamed audio does not count. */
export const MAX_OPEN_BYTES = 32 * MIB

/** Returns bytes. Word times make a transcript large, so each word with times raises the limit. */
export function transcriptLimitOf(body: unknown): number {
  const { segments } = (body ?? {}) as { segments?: unknown }
  let limit = MAX_TEXT_TRANSCRIPT_BYTES
  for (const segment of Array.isArray(segments) ? (segments as ({ words?: unknown } | null)[]) : [])
    if (Array.isArray(segment?.words)) limit += BYTES_PER_WORD * segment.words.filter(isTimed).length
  return Math.min(limit, MAX_TRANSCRIPT_BYTES)
}

function isTimed(word: { text?: unknown; start_ms?: unknown } | null): boolean {
  return typeof word?.text === 'string' && word.text !== '' && typeof word.start_ms === 'number'
}

export const limitsInWords =
  'Bodies are JSON in UTF-8 of up to 1 MIB; a transcript may take 4 MIB and 200 bytes for each word with times, at most 16 MIB (413 beyond). ' +
  'A page of a list ends before its records come to more than 4 MIB, so go on until next_cursor is null. ' +
  'One person may send 256 MIB at once, audio included, and 2 MIB a second from then on, with bodies of up to 32 MIB under way ' +
  'at the same time; beyond that the answer is 429 too-many-bytes with Retry-After.'
