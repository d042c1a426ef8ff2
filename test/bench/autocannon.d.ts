/** Of the load generator, what the bench of the service uses. */
declare module 'autocannon' {
  interface Request {
    method?: 'GET' | 'POST'
    path?: string
    headers?: Record<string, string>
    body?: string
    setupRequest?: (request: Request) => Request
  }
  interface Options {
    url: string[]
    connections: number
    duration: number
    requests: Request[]
    setupClient: (client: {
      on(event: 'response', listener: (status: number, bytes: number, milliseconds: number) => void): void
    }) => void
  }
  interface Result {
    readonly duration: number
    readonly errors: number
    readonly timeouts: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
