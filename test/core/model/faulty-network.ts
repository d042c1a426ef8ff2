import { env, stdout } from 'node:process'
import type { VirtualTime } from './virtual-time.ts'

/** What becomes of one request. */
export const faults = [
  'fine',
  /** It never arrives. */
  'lost',
  /** Done, and nobody hears of it. */
  'answer_lost',
  'twice',
  /** Given up here, and delivered after what came later. */
  'late',
  /** The line holds it back before it is delivered, or its answer. */
  'slow',
  'slow_answer',
  'too_many',
  'broken',
  /** Done, and the gateway in between fails. */
  'gateway',
  'captive_portal',
  /** The laptop dies as it is sent; or once it was done. */
  'death_before',
  'death_after',
] as const
export type Fault = (typeof faults)[number]

export interface Line {
  readonly fetch: typeof fetch
  connected: boolean
  /** What becomes of the next requests, one after the other; then all is fine. */
  weather: Fault[]
  /** Nothing more comes through: who used it is gone. */
  cut(): void
}

const isTraced = env['AFTERWORD_TRACE'] !== undefined

interface Parts {
  readonly name: string
  readonly time: VirtualTime
  readonly serve: (request: Request) => Promise<Response>
  readonly onDeath: () => void
  /** What may befall a request here; null: everything. */
  readonly faults: readonly Fault[] | null
}

/** The way from one laptop to the service. */
export function faultyLine({ name, time, serve, onDeath, faults: known }: Parts): Line {
  const over = new AbortController()
  const refused = (): never => {
    throw new TypeError('fetch failed')
  }
  const delivered = async (letter: Letter): Promise<Response> => {
    const done = time.begin(letter.what)
    try {
      return await serve(letter.copy())
    } finally {
      done()
    }
  }
  const ways: Record<Fault, (letter: Letter, signal: AbortSignal) => Promise<Response>> = {
    fine: (letter) => delivered(letter),
    lost: async () => refused(),
    async answer_lost(letter) {
      await delivered(letter)
      return refused()
    },
    async twice(letter) {
      await delivered(letter)
      return delivered(letter)
    },
    async late(letter) {
      void time.wait(letter.length % 7 === 0 ? 90_000 : 1500, null).then(() => delivered(letter))
      return refused()
    },
    async slow(letter, signal) {
      await time.wait(3000, signal)
      return delivered(letter)
    },
    async slow_answer(letter, signal) {
      const answer = await delivered(letter)
      await time.wait(3000, signal)
      return answer
    },
    too_many: async () => page(429, 'text/plain', 'too many', { 'Retry-After': '7' }),
    broken: async () => page(503, 'text/html', '<h1>Unavailable</h1>'),
    async gateway(letter) {
      await delivered(letter)
      return page(502, 'text/html', '<h1>Bad gateway</h1>')
    },
    captive_portal: async () => page(200, 'text/html', '<h1>Welcome to our café</h1>'),
    async death_before() {
      onDeath()
      return new Promise(() => {})
    },
    async death_after(letter) {
      await delivered(letter)
      onDeath()
      return new Promise(() => {})
    },
  }
  const line: Line = {
    connected: true,
    weather: [],
    cut: () => over.abort(),
    fetch: (async (request: Request) => {
      if (!line.connected || over.signal.aborted) return refused()
      const drawn = line.weather.shift() ?? 'fine'
      const fault = known === null || known.includes(drawn) ? drawn : 'fine'
      const given = AbortSignal.any([request.signal, over.signal])
      const letter = await letterOf(request)
      // What follows a stream is read in real time: this line holds none, as many a proxy does not.
      if (request.headers.get('accept') === 'text/event-stream') return page(200, 'text/html', '')
      if (isTraced)
        stdout.write(`${Math.round(time.now())} ${name}: ${fault} ${request.method} ${new URL(request.url).pathname}\n`)
      return unlessGivenUp(ways[fault](letter, given), given)
    }) as typeof fetch,
  }
  return line
}

/** A request that can be delivered more than once. */
interface Letter {
  readonly what: string
  readonly length: number
  copy(): Request
}

async function letterOf(request: Request): Promise<Letter> {
  const { method, url, headers } = request
  const body = request.body === null ? null : await request.arrayBuffer()
  const what = `${method} ${new URL(url).pathname}`
  return { what, length: body?.byteLength ?? 0, copy: () => new Request(url, { method, headers, body }) }
}

function page(status: number, type: string, body: string, headers: Record<string, string> = {}): Response {
  return new Response(body, { status, headers: { 'Content-Type': type, ...headers } })
}

/** What was given up here may go on there. */
function unlessGivenUp<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const givenUp = (): void => reject(new DOMException('given up', 'AbortError'))
    if (signal.aborted) givenUp()
    signal.addEventListener('abort', givenUp)
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', givenUp))
  })
}
