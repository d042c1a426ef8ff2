import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

export const roles = ['owner', 'clinician', 'supervisor', 'front_desk', 'biller', 'auditor'] as const
export type Role = (typeof roles)[number]

/** How far a role reaches: all of the practice, own caseload, own and supervisees, limited fields, own only, none. */
export type Reach = 'all' | 'caseload' | 'supervised' | 'limited' | 'own' | 'none'
export type Reaches = Readonly<Record<Role, Reach>>

/** One operation. Everything the guards, the client, the OpenAPI document and the tests need to know about it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base URL; `{name}` is a path parameter. */
  readonly path: string
  readonly summary: string
  /** In the published document, hence offered under `/v1`, `/api/v1` and (the /ai ones) `/api/ai`. */
  readonly published: boolean
  /** Counts against the practice's daily quota. */
  readonly counted: boolean
  readonly reach: Reaches
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** What `all` reaches beyond one's own caseload is there only for a call that says what for (`Purpose-Of-Use`). */
  readonly beyondNeedsPurpose?: boolean
  /** Status to answer schema; `null` where the answer has no body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>
  /** Expected failures of this operation beyond the ones every operation can answer with. */
  readonly failures: readonly ErrorCode[]
  /** `Prefer: respond-async` gives 202 and an operation; work past 60 s does so by itself. */
  readonly longRunning?: boolean
  /** Reads records, whatever its method: what is opened in an emergency is open to it too. */
  readonly reads?: boolean
  /** Updates carry `If-Match`. */
  readonly conditional?: boolean
  /** Largest body in bytes; `MAX_BODY_BYTES` unless said. */
  readonly bodyLimit?: number
  /** Of that, what a body may take by what is in it. */
  readonly bodyLimitOf?: (body: unknown) => number
  /** `in`: the body is bytes that are taken as they come. `out`: the answer may be events as they happen. */
  readonly stream?: 'in' | 'out'
  /** What a streamed answer is, where it is neither JSON nor events. */
  readonly media?: readonly string[]
  /** One of two operations at one address: this one where the request carries the header. */
  readonly when?: string
}

/** What any operation may answer with. */
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

export function route<const Definition extends Route>(definition: Definition): Definition {
  return definition
}

const nobody: Reaches = {
  owner: 'none',
  clinician: 'none',
  supervisor: 'none',
  front_desk: 'none',
  biller: 'none',
  auditor: 'none',
}

/** Names who reaches how far; deny by default. */
export function reach(reaches: Partial<Reaches>): Reaches {
  return { ...nobody, ...reaches }
}

export const everyone: Reaches = reach(Object.fromEntries(roles.map((role) => [role, 'all'])) as Record<Role, 'all'>)
/** Audio, transcripts, drafts: those who treat the client. */
export const treating: Reaches = reach({ owner: 'caseload', clinician: 'caseload', supervisor: 'supervised' })
/** A signature is for one's own caseload; a supervisor's word on another's note is to cosign or return it. */
export const signers: Reaches = reach({ owner: 'caseload', clinician: 'caseload', supervisor: 'caseload' })
/** Who may ask for long work; each follows their own. */
export const askers: Reaches = { ...treating, front_desk: 'own', biller: 'own' }
