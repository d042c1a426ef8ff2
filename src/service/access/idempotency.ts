import { createHash } from 'node:crypto'
import { AppError } from '#contract/errors.ts'
import { canonicalJson } from '#domain/canonical-note.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { KeyScope } from '#service/store/idempotency.ts'

/** Keys are whatever the caller likes, within reason (draft-ietf-httpapi-idempotency-key-header). */
const keyPattern = /^[\x21-\x7e]{1,255}$/

/** @throws AppError `bad-request` */
export function keyScopeOf(header: string | undefined, caller: Caller): KeyScope | null {
  if (header === undefined) return null
  if (!keyPattern.test(header)) throw new AppError('bad-request', 'Idempotency-Key must be 1 to 255 visible characters.')
  return { practice: caller.practice_id, person: caller.person_id, key: header }
}

/** The same request written with other white space or member order is the same request. */
export function requestHash(operation: string, params: unknown, body: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([operation, params ?? null, body ?? null]))
    .digest('hex')
}
