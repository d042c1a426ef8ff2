import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { findProgram } from './machine.ts'

/**
 * An OpenAI-compatible speech server on loopback over a real recogniser, Debian's pocketsphinx. Also a program:
 * `node test/support/speech-server.ts [port]` prints its address and the folder it works in.
 */
export interface SpeechServer {
  /** Ends in `/v1`. */
  readonly address: string
  /** Sound stands here in plaintext while it is being recognised; gone after `close`. */
  readonly scratch: string
  /** Bytes of sound of each request, in order. */
  readonly received: readonly number[]
  close(): Promise<void>
}

interface Word {
  word: string
  start: number
  end: number
  confidence: number
}

const model = 'pocketsphinx-en-us'

export async function startSpeechServer(port = 0): Promise<SpeechServer> {
  const scratch = mkdtempSync(join(tmpdir(), 'afterword-recogniser-'))
  const received: number[] = []
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    scratch,
    received,
    close: async () => {
      await stop(server)
      rmSync(scratch, { recursive: true, force: true })
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.url === '/v1/models') send(response, 200, { object: 'list', data: [{ id: model, object: 'model' }] })
      else if (request.method === 'POST' && request.url === '/v1/audio/transcriptions')
        send(response, 200, await transcribe(request))
      else send(response, 404, { error: { message: 'no such address' } })
    } catch (error) {
      send(response, 500, { error: { message: error instanceof Error ? error.message : 'failed' } })
    }
  }

  async function transcribe(request: IncomingMessage): Promise<unknown> {
    const form = await formOf(request)
    const file = form.get('file')
    if (!(file instanceof Blob)) throw new Error('no file')
    const sound = new Uint8Array(await file.arrayBuffer())
    received.push(sound.length)
    const path = join(scratch, `${received.length}.wav`)
    writeFileSync(path, sound, { mode: 0o600 })
    try {
      const segments = read(await recognise(path))
      const words = segments.flatMap((segment) => segment.words)
      const text = segments.map((segment) => segment.text).join(' ')
      const told = segments.map((segment, id) => ({ id, ...segment, words: undefined }))
      const duration = (sound.length - 44) / 32_000
      if (form.get('response_format') !== 'verbose_json') return { text }
      return { task: 'transcribe', language: 'english', duration, text, segments: told, words }
    } finally {
      rmSync(path, { force: true })
    }
  }
}

async function formOf(request: IncomingMessage): Promise<FormData> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new Response(Buffer.concat(chunks), { headers: { 'Content-Type': request.headers['content-type'] ?? '' } }).formData()
}

function recognise(path: string): Promise<string> {
  const program = findProgram('pocketsphinx_continuous')
  if (program === null) throw new Error('no recogniser on this machine')
  // Its own account of what it does goes to stderr and may be long.
  const options = ['-infile', path, '-time', 'yes', '-logfn', '/dev/null']
  return new Promise((resolve, reject) => {
    execFile(program, options, { maxBuffer: 64e6 }, (error, out) =>
      error ? reject(new Error('the recogniser failed')) : resolve(out),
    )
  })
}

/** An utterance on a line, then a line per word: the word, start, end, confidence; `<...>` and `[...]` are no words. */
function read(output: string): { text: string; start: number; end: number; words: Word[] }[] {
  const utterances: Word[][] = []
  for (const line of output.split('\n')) {
    const [, token, start, end, confidence] = /^(\S+) ([\d.]+) ([\d.]+) ([\d.]+)$/.exec(line.trim()) ?? []
    if (token === undefined) utterances.push([])
    else if (!/^[<[+]/.test(token)) {
      const word = {
        word: token.replace(/\(\d+\)$/, ''),
        start: Number(start),
        end: Number(end),
        confidence: Math.min(1, Number(confidence)),
      }
      utterances.at(-1)?.push(word)
    }
  }
  return utterances.flatMap((words) => {
    const [first, last] = [words[0], words.at(-1)]
    return first && last ? [{ text: words.map(({ word }) => word).join(' '), start: first.start, end: last.end, words }] : []
  })
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startSpeechServer(Number(argv[2] ?? 0))
  process.stdout.write(`speech server: ${server.address}\nscratch folder: ${server.scratch}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close().then(() => process.exit(0)))
}
