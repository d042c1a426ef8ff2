import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const path = '/signed-in'
const page = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Afterword</title><p style="font:1rem system-ui;margin:3rem">${text}</p>`

export interface Loopback {
  readonly redirect_uri: string
  /** The address that the browser came back with. */
  readonly arrived: Promise<URL>
  close(): void
}

/**
 * Where the system's browser comes back to (RFC 8252, 7.3): a port of this machine alone, for as long as one sign-in
 * takes. Whatever else knocks there, or comes with another `state`, is not answered to.
 */
export async function openLoopback(state: string): Promise<Loopback> {
  const arrival = Promise.withResolvers<URL>()
  const server = createServer((request, response) => {
    // Whoever knocks may ask for what is no address at all.
    const url = URL.parse(request.url ?? '/', origin)
    const isOurs = request.method === 'GET' && url?.pathname === path && url.searchParams.get('state') === state
    response.writeHead(isOurs ? 200 : 404, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      Connection: 'close',
    })
    response.end(page(isOurs ? 'You can close this window and go back to Afterword.' : 'There is nothing here.'))
    if (isOurs) arrival.resolve(url)
  })
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', ready)
  })
  // Nobody waits for it when the app is to end.
  server.unref()
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    redirect_uri: origin + path,
    arrived: arrival.promise,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
