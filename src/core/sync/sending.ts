import type { ServiceClient } from '#client/client.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#contract/errors.ts'
import type { MergedKind } from './merge/incoming.ts'
import type { Merge } from './merge/merge.ts'
import type { Intent, IntentKind, StoredIntent } from './intents.ts'

/** One attempt at one intent. */
export interface Sending<Kind extends IntentKind> {
  readonly intent: StoredIntent & Intent<Kind>
  readonly client: ServiceClient
  /** What every POST carries. */
  readonly options: { readonly idempotencyKey: string; readonly signal: AbortSignal }
}

/** RFC 9110, 8.8.3: strong, and the version is all there is in it (API.md section 2). */
export function etag(version: number): string {
  return `"${version}"`
}

export function failedWith(error: unknown, ...codes: readonly ErrorCode[]): error is AppError {
  return error instanceof AppError && codes.includes(error.code)
}

/**
 * However often somebody says "try again": what two people changed waits for a choice between them.
 *
 * @throws AppError `stale-version`
 */
export function requireDecided(merge: Pick<Merge, 'isAsked'>, kind: MergedKind, id: string): void {
  if (merge.isAsked(kind, id)) throw new AppError('stale-version')
}
