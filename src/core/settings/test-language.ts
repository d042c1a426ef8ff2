import { askServer, notReady, type ServerHints, type ServerTest } from './ask-server.ts'

const hints: ServerHints = {
  noAddress: 'Type the address of a model server first.',
  keyRefused: 'The server does not take this key.',
  serverError: 'The server is there but in trouble. Look at its own messages.',
  otherServer: 'Something answers at this address, but it is not a model server. Look whether the address ends in /v1.',
  notReached: 'Nothing answers at this address. Look whether the server is running.',
}

/** Sends no words of a session. */
export async function testLanguage(
  fetch: typeof globalThis.fetch,
  server: { address: string | null; key: string | null; model: string | null },
): Promise<ServerTest> {
  const test = await askServer(fetch, server, hints)
  const { models } = test
  if (!test.ready || models.length === 0) return test
  if (server.model === null && models.length > 1) return { ...notReady('Choose one of its models.'), models }
  if (server.model !== null && !models.includes(server.model))
    return { ...notReady('The server does not offer the model that is chosen. Choose one of its models.'), models }
  return test
}
