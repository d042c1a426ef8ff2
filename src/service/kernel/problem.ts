import { AppError, type ErrorCode, errorKinds } from '#contract/errors.ts'
import type { Problem } from '#contract/model/problem.ts'
import type { ScheduleConflict, ScheduleProposal } from '#contract/model/schedule.ts'

/** Problem type (RFC 9457) from draft-ietf-httpapi-ratelimit-headers. */
const quotaType = 'https://iana.org/assignments/http-problem-types#quota-exceeded'

const details: Partial<Record<ErrorCode, string>> = {
  'validation-failed': 'Nothing was changed. Correct each field or parameter in `errors`, then send the request again.',
  unauthenticated:
    'Send `Authorization: Bearer`, followed by an API key (`aw_live_...`) that is not revoked or an OAuth 2.0 access token that has not expired.',
  'method-not-allowed': 'Use one of the methods in the `Allow` header.',
  'version-required':
    'Nothing was changed. Read the record, then send its `ETag` as `If-Match`, in double quotes, for example `If-Match: "3"`.',
  'consent-missing':
    'Nothing was written. Someone in the session has not agreed to this step, or has revoked consent. Record the consent (`POST /consents`), then send the request again.',
}

export function problemOf(error: AppError, requestId: string): Problem {
  const { status, retryable, title } = errorKinds[error.code]
  return {
    type: error.code === 'quota-exceeded' ? quotaType : `/problems/${error.code}`,
    title,
    status,
    detail: error.detail ?? details[error.code] ?? title,
    code: error.code,
    retryable,
    request_id: requestId,
    ...(error.fields.length > 0 ? { errors: [...error.fields] } : {}),
    ...(error instanceof Stale ? { current: error.current } : {}),
    ...(error instanceof SlotLost ? { conflicts: [...error.conflicts], proposals: [...error.proposals] } : {}),
  }
}

export class SlotLost extends AppError {
  readonly conflicts: readonly ScheduleConflict[]
  readonly proposals: readonly ScheduleProposal[]

  constructor(detail: string, conflicts: readonly ScheduleConflict[], proposals: readonly ScheduleProposal[]) {
    super(conflicts.some(({ kind }) => kind.endsWith('_double')) ? 'double-booking' : 'conflict', detail)
    this.conflicts = conflicts
    this.proposals = proposals
  }
}

/** Answers 412 with the current record, if there is one, so that the caller can merge without another call. */
export class Stale extends AppError {
  readonly current: unknown
  readonly etag: string | null

  constructor(current: unknown) {
    const version = versionOf(current)
    const etag = version === null ? null : etagOf(version)
    super('stale-version', etag === null ? noRecord : `${changedSince} \`If-Match: ${etag}\`.`)
    this.current = current
    this.etag = etag
  }
}

const noRecord = 'There is no record with this id yet. Nothing was changed. Leave out `If-Match` to create the record.'
const changedSince =
  'The record is not at the version in `If-Match`. Nothing was changed. Apply your change to `current`, then send it with'

function versionOf(current: unknown): number | null {
  if (typeof current !== 'object' || current === null || !('version' in current)) return null
  return typeof current.version === 'number' ? current.version : null
}

/** RFC 9110, 8.8.3: entity tags are quoted. Versions are strong tags, so a weak tag never matches. */
const entityTags = /^\s*(\*|"[^"]*"(\s*,\s*"[^"]*")*)\s*$/

export function requireEntityTag(ifMatch: string | undefined): void {
  if (ifMatch !== undefined && !entityTags.test(ifMatch))
    throw new AppError(
      'bad-request',
      '`If-Match` is the version in double quotes, for example `If-Match: "3"`, without `W/`. Send the `ETag` of the answer you read.',
    )
}

export const etagOf = (version: number): string => `"${version}"`

/** RFC 9110, 13.1.1: `If-Match` uses strong comparison. @throws AppError `version-required`, `stale-version` */
export function requireVersion(ifMatch: string | null, current: { readonly version: number }): void {
  if (ifMatch === null) throw new AppError('version-required')
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes('*') && !tags.includes(etagOf(current.version))) throw new Stale(current)
}

/** For PUT, which creates the record if there is none. @throws AppError `version-required`, `stale-version` */
export function requirePutVersion(ifMatch: string | null, current: { readonly version: number } | null): void {
  if (current !== null) requireVersion(ifMatch, current)
  else if (ifMatch !== null) throw new Stale(null)
}

/** No record with this id is accessible. The id is used to find the request field and is never sent back. */
export class NotFound extends AppError {
  readonly id: string

  constructor(id: string) {
    super('not-found')
    this.id = id
  }
}

interface Input {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

export function namingTheField(error: AppError, input: Input | undefined): AppError {
  if (!(error instanceof NotFound)) return error
  const places = [
    ['path parameter', input?.params],
    ['query parameter', input?.query],
    ['field', input?.body],
  ] as const
  for (const [place, value] of places) {
    const path = pathTo(value, error.id)
    if (path !== null) return notFoundAt(place, path)
  }
  return error
}

export function notFoundAt(place: 'path parameter' | 'query parameter' | 'field', path: readonly PropertyKey[]): AppError {
  const message = `No record has the id in the ${place} \`${path.join('.')}\`.`
  return new AppError('not-found', message, [{ pointer: pointerTo(path), code: 'not_found', message }])
}

function pathTo(value: unknown, id: string): PropertyKey[] | null {
  if (value === id) return []
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const path = pathTo(inner, id)
    if (path !== null) return [name, ...path]
  }
  return null
}

export const invalid = (pointer: string, code: string, message: string): AppError =>
  new AppError('validation-failed', undefined, [{ pointer, code, message }])
export const invalidField = (pointer: string, message: string): AppError => invalid(pointer, 'invalid_value', message)

export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
