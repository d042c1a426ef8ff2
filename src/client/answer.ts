import { AppError } from '#contract/errors.ts'
import { problemSchema } from '#contract/model/problem.ts'
import type { OperationId } from '#contract/rest/routes.ts'

const page = /^(?:text\/html|application\/xhtml\+xml)\b/i
/** With these statuses, a gateway in front of the service may send its own HTML page. */
const ofTheGateway: ReadonlySet<number> = new Set([413, 429, 502, 503, 504])
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Rejects redirects and HTML pages: they come from a captive portal, not from the service. A page passes only with a status that
 * gateways use for their own pages.
 * @throws AppError `service-unreachable`
 */
export async function requireAnswer(response: Response): Promise<Response> {
  const isElsewhere =
    response.redirected || response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
  const isPage = page.test(response.headers.get('content-type') ?? '')
  if (!isElsewhere && (!isPage || ofTheGateway.has(response.status))) return response
  await letGo(response)
  throw notAService()
}

/**
 * After a 410 the app deletes its local record, and after a 404 for an operation it starts the work again. A gateway in front of
 * a restarting service sends the same statuses, so this requires a JSON body from the service.
 * @throws AppError `service-unreachable`
 */
export function requireOwnWord({ status }: Response, body: unknown, operation: OperationId): void {
  const isLostWork = status === 404 && operation === 'getOperation' && body === null
  const isGone = status === 410 && !ownWordSchema.safeParse(body).success
  if (isLostWork || isGone) throw notAService()
}

const ownWordSchema = problemSchema.pick({ code: true })

/**
 * Null if the body is not JSON and was not declared as JSON.
 * @throws AppError `service-unreachable` if the body was cut off or is longer than 64 MiB; the reason of `signal` if the caller
 * aborted
 */
export async function jsonOf(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const text = await textOf(response, signal)
  try {
    return JSON.parse(text)
  } catch {
    // Declared as JSON but invalid, so it was cut off. Do not guess the result from the status.
    if (/\bjson\b/i.test(response.headers.get('content-type') ?? '')) throw notAService()
    return null
  }
}

async function textOf(response: Response, signal: AbortSignal | undefined): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.length
      if (bytes > MAX_BYTES) throw notAService()
      text += decoder.decode(piece, { stream: true })
    }
    return text + decoder.decode()
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof AppError) throw error
    throw new AppError('service-unreachable', 'The answer broke off.', [], { cause: error })
  }
}

export async function letGo(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {})
}

export function notAService(): AppError {
  return new AppError('service-unreachable', 'What answers at this address is not a service we know.')
}
