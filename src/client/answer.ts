import { AppError } from '#contract/errors.ts'
import { problemSchema } from '#contract/model/problem.ts'
import type { OperationId } from '#contract/rest/routes.ts'

/** No answer of a service's own is a page for people. */
const page = /^(?:text\/html|application\/xhtml\+xml)\b/i
/** What a gateway says by a page of its own: of one request that is too large, of too many, of a service that is away. */
const ofTheGateway: ReadonlySet<number> = new Set([413, 429, 502, 503, 504])
/** More is no answer to anything that is asked. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * A network that wants to be signed in to answers in the service's place: with a page, or by sending one elsewhere. That
 * is no answer, whatever its status says.
 *
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
 * That a record is gone is a reason to erase it here, and that work is not there any more one to have it done again. A
 * service says so in words of its own; what stands in front of one that is just being restarted says it as well.
 *
 * @throws AppError `service-unreachable`
 */
export function requireOwnWord({ status }: Response, body: unknown, operation: OperationId): void {
  const isLostWork = status === 404 && operation === 'getOperation' && body === null
  const isGone = status === 410 && !ownWordSchema.safeParse(body).success
  if (isLostWork || isGone) throw notAService()
}

const ownWordSchema = problemSchema.pick({ code: true })

/**
 * Null where there is no JSON in it.
 *
 * @throws AppError `service-unreachable` where it was cut off, `signal`'s reason where the caller gave up
 */
export async function jsonOf(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const text = await textOf(response, signal)
  try {
    return JSON.parse(text)
  } catch {
    // Said to be JSON and none: the end of it is missing. What it was about must not be guessed from the status.
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

/** Frees the connection. */
export async function letGo(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {})
}

export function notAService(): AppError {
  return new AppError('service-unreachable', 'What answers at this address is not a service we know.')
}
