import { errorKinds, AppError } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Problem } from '#contract/model/problem.ts'
import type { ScheduleConflict, ScheduleProposal } from '#contract/model/schedule.ts'
import { Stale } from './stale.ts'

/** RFC 9457. Problem types of this service are relative URLs; this one is registered with IANA. */
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
