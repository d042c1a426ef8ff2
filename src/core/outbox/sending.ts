import { AppError, type ErrorCode } from '#contract/errors.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Intent, IntentKind, StoredIntent } from './intents.ts'

export interface Sending<Kind extends IntentKind> {
  readonly intent: StoredIntent & Intent<Kind>
  readonly client: ServiceClient
  readonly options: { readonly idempotencyKey: string; readonly signal: AbortSignal }
}

export function failedWith(error: unknown, ...codes: readonly ErrorCode[]): error is AppError {
  return error instanceof AppError && codes.includes(error.code)
}

export const dataIn = <Data>(call: Promise<{ readonly data: Data }>): Promise<Data> => call.then(({ data }) => data)

export async function orNull<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading
  } catch (error) {
    if (failedWith(error, 'not-found', 'gone')) return null
    throw error
  }
}

type Send<Body, Result> = (body: Body) => Promise<Result>

/**
 * A service may reject the clinician id that this app sends. Rejected ids are remembered in memory and omitted from later
 * requests.
 */
export function knownClinicians() {
  const unknown = new Set<unknown>()
  return async <Body extends { readonly clinician_id?: string | null | undefined }, Result>(
    body: Body,
    send: Send<Body, Result>,
  ): Promise<Result> => {
    const { clinician_id } = body
    const without = { ...body, clinician_id: undefined }
    if (unknown.has(clinician_id)) return send(without)
    try {
      return await send(body)
    } catch (error) {
      // An idempotency mismatch may mean that this request was sent without the id before a restart.
      if (!isUnknownClinician(error) && !failedWith(error, 'idempotency-mismatch')) throw error
      const result = await send(without)
      if (clinician_id) unknown.add(clinician_id)
      return result
    }
  }
}

/** A service that has only the basic API may not name the rejected field, so an empty `fields` list counts too. */
function isUnknownClinician(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'validation-failed') return false
  return error.fields.every(({ code, pointer }) => code === 'unknown_person' && pointer.endsWith('/clinician_id'))
}
