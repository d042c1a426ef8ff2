import type { ServiceClient } from '#client/client.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#contract/errors.ts'
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
