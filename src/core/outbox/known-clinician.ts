import { AppError } from '#contract/errors.ts'
import { failedWith } from './sending.ts'

type Send<Body, Result> = (body: Body) => Promise<Result>

/**
 * A service that was only entered as an address does not know the therapist by the id this laptop made. It then says
 * itself whose session this is, from the key that calls. Once refused, an id is left out from then on: each call counts
 * towards the day's quota.
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
      // Under this key the id may have been left out before the app was started again.
      if (!isUnknownClinician(error) && !failedWith(error, 'idempotency-mismatch')) throw error
      const result = await send(without)
      if (clinician_id) unknown.add(clinician_id)
      return result
    }
  }
}

/** A service that speaks no more than the published operations may not say which field it refuses. */
function isUnknownClinician(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'validation-failed') return false
  return error.fields.every(({ code, pointer }) => code === 'unknown_person' && pointer.endsWith('/clinician_id'))
}
