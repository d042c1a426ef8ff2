import { AppError } from '#contract/errors.ts'

/**
 * A service that was only entered as an address does not know the therapist by the id this laptop made. It then says
 * itself whose session this is, from the key that calls.
 */
export async function withKnownClinician<Body extends object, Result>(
  body: Body,
  send: (body: Body) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(body)
  } catch (error) {
    if (!isUnknownClinician(error)) throw error
    return send({ ...body, clinician_id: undefined })
  }
}

/** A service that speaks no more than the published operations may not say which field it refuses. */
function isUnknownClinician(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'validation-failed') return false
  return error.fields.every(({ code, pointer }) => code === 'unknown_person' && pointer.endsWith('/clinician_id'))
}
