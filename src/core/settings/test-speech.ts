import { z } from 'zod'

export interface SpeechTest {
  readonly ready: boolean
  readonly hint: string | null
  readonly models: string[]
}

const patienceMs = 5000
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string().max(200) })).max(1000) })

/** What to do, in words, as a service's own hints are. */
const hints = {
  noAddress: 'Type the address of a speech server first.',
  keyRefused: 'The server does not take this key.',
  serverError: 'The server is there but in trouble. Look at its own messages.',
  notSpeech: 'Something answers at this address, but it is not a speech server. Look whether the address ends in /v1.',
  notReached: 'Nothing answers at this address. Look whether the server is running.',
} as const

/** Asks for the list of models, which is all an OpenAI-compatible server can be asked without sending it sound. */
export async function testSpeech(
  fetch: typeof globalThis.fetch,
  server: { address: string | null; key: string | null },
): Promise<SpeechTest> {
  if (server.address === null) return notReady(hints.noAddress)
  try {
    const headers = server.key === null ? {} : { authorization: `Bearer ${server.key}` }
    const response = await fetch(`${server.address}/models`, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    })
    if (response.status === 401 || response.status === 403) return notReady(hints.keyRefused)
    // Some servers transcribe and have no list of models: they are there all the same.
    if (response.status === 404 || response.status === 405) return { ready: true, hint: null, models: [] }
    if (!response.ok) return notReady(hints.serverError)
    const models = modelsSchema.safeParse(await response.json())
    if (!models.success) return notReady(hints.notSpeech)
    return { ready: true, hint: null, models: models.data.data.map((model) => model.id) }
  } catch (error) {
    return notReady(error instanceof SyntaxError ? hints.notSpeech : hints.notReached)
  }
}

function notReady(hint: string): SpeechTest {
  return { ready: false, hint, models: [] }
}
