import type { ServiceClient } from '#client/client.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#contract/errors.ts'
import type { Intent, IntentKind, StoredIntent } from './intents.ts'

export interface Sending<Kind extends IntentKind> {
  readonly intent: StoredIntent & Intent<Kind>
  readonly client: ServiceClient
  readonly options: { readonly idempotencyKey: string; readonly signal: AbortSignal }
}

/** A strong ETag (RFC 9110, 8.8.3) that holds only the version. */
export function etag(version: number): string {
  return `"${version}"`
}

export function failedWith(error: unknown, ...codes: readonly ErrorCode[]): error is AppError {
  return error instanceof AppError && codes.includes(error.code)
}

/** Null if the service doesn't have the record. */
export async function orNull<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading
  } catch (error) {
    if (failedWith(error, 'not-found', 'gone')) return null
    throw error
  }
}
