import { z } from 'zod'

export interface ServerTest {
  readonly ready: boolean
  readonly hint: string | null
  readonly models: string[]
}

/** What to do, in words, as a service's own hints are. */
export interface ServerHints {
  readonly noAddress: string
  readonly keyRefused: string
  readonly serverError: string
  readonly otherServer: string
  readonly notReached: string
}

const patienceMs = 5000
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string().max(200) })).max(1000) })

/** Asks for the list of models, which is all an OpenAI-compatible server can be asked without sending it anything. */
export async function askServer(
  fetch: typeof globalThis.fetch,
  server: { readonly address: string | null; readonly key: string | null },
  hints: ServerHints,
): Promise<ServerTest> {
  if (server.address === null) return notReady(hints.noAddress)
  try {
    const headers = server.key === null ? {} : { authorization: `Bearer ${server.key}` }
    const response = await fetch(`${server.address}/models`, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    })
    if (response.status === 401 || response.status === 403) return notReady(hints.keyRefused)
    // Some servers have no list of models: they are there all the same.
    if (response.status === 404 || response.status === 405) return { ready: true, hint: null, models: [] }
    if (!response.ok) return notReady(hints.serverError)
    const models = modelsSchema.safeParse(await response.json())
    if (!models.success) return notReady(hints.otherServer)
    return { ready: true, hint: null, models: models.data.data.map((model) => model.id) }
  } catch (error) {
    return notReady(error instanceof SyntaxError ? hints.otherServer : hints.notReached)
  }
}

export function notReady(hint: string): ServerTest {
  return { ready: false, hint, models: [] }
}
