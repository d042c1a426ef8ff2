import { askServer, type ServerHints, type ServerTest } from './ask-server.ts'

const hints: ServerHints = {
  noAddress: 'Type the address of a speech server first.',
  keyRefused: 'The server does not take this key.',
  serverError: 'The server is there but in trouble. Look at its own messages.',
  otherServer: 'Something answers at this address, but it is not a speech server. Look whether the address ends in /v1.',
  notReached: 'Nothing answers at this address. Look whether the server is running.',
}

/** Sends no sound. */
export function testSpeech(
  fetch: typeof globalThis.fetch,
  server: { address: string | null; key: string | null },
): Promise<ServerTest> {
  return askServer(fetch, server, hints)
}
