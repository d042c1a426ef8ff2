import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { systemClock } from '#base/clock.ts'
import { replaceFile } from '#base/durable-file.ts'
import { lineLog } from '#base/log.ts'
import { forkedEngines } from './forked-engines.ts'
import { openService } from './open-service.ts'
import type { LanguageSettings, SpeechSettings } from './ports.ts'

/** `npm run service -- --port N --data DIR [--plan ...]`: the service alone, on 127.0.0.1, for callers with keys. */

const optionsSchema = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  data: z.string().min(1),
  plan: z.enum(['free', 'professional', 'enterprise']).default('free'),
})
/** What is delivered with the app; at the same place from source and built. */
const resources = fileURLToPath(new URL('../../resources', import.meta.url))
const keyPattern = /^[0-9a-f]{64}$/

/** The engine for speech is named by the environment here; the app has settings for it. */
const speechSchema = z.object({
  AFTERWORD_SPEECH_ADDRESS: z.url({ protocol: /^https?$/ }).optional(),
  AFTERWORD_SPEECH_MODEL: z.string().optional(),
  AFTERWORD_SPEECH_KEY: z.string().optional(),
  AFTERWORD_SPEECH_LANGUAGE: z.string().optional(),
})

/** So is the engine for drafts; without an address they are put together by the rules. */
const languageSchema = z.object({
  AFTERWORD_LANGUAGE_ADDRESS: z.url({ protocol: /^https?$/ }).optional(),
  AFTERWORD_LANGUAGE_MODEL: z.string().optional(),
  AFTERWORD_LANGUAGE_KEY: z.string().optional(),
  /** A GGUF file, in place of a server. */
  AFTERWORD_LANGUAGE_FILE: z.string().optional(),
  AFTERWORD_LANGUAGE_CONTEXT: z.coerce.number().int().min(1024).max(2_000_000).optional(),
})

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function stopWith(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function readOptions(): z.infer<typeof optionsSchema> {
  const usage = 'usage: npm run service -- --port N --data DIR [--plan free|professional|enterprise]'
  try {
    const { values } = parseArgs({ options: { port: { type: 'string' }, data: { type: 'string' }, plan: { type: 'string' } } })
    return optionsSchema.parse(values)
  } catch {
    return stopWith(usage)
  }
}

function readSpeech(): SpeechSettings | null {
  const read = speechSchema.safeParse(process.env)
  if (!read.success) stopWith(`${read.error.issues[0]?.path.join('.')} cannot be used: ${read.error.issues[0]?.message}`)
  const { AFTERWORD_SPEECH_ADDRESS: address, ...rest } = read.data
  if (address === undefined) return null
  return {
    address,
    model: rest.AFTERWORD_SPEECH_MODEL ?? null,
    key: rest.AFTERWORD_SPEECH_KEY ?? null,
    language: rest.AFTERWORD_SPEECH_LANGUAGE ?? null,
  }
}

function readLanguage(): LanguageSettings {
  const read = languageSchema.safeParse(process.env)
  if (!read.success) stopWith(`${read.error.issues[0]?.path.join('.')} cannot be used: ${read.error.issues[0]?.message}`)
  const { AFTERWORD_LANGUAGE_ADDRESS: address, AFTERWORD_LANGUAGE_FILE: file, ...rest } = read.data
  const context_tokens = rest.AFTERWORD_LANGUAGE_CONTEXT ?? null
  if (address !== undefined) {
    const { AFTERWORD_LANGUAGE_MODEL: model = null, AFTERWORD_LANGUAGE_KEY: key = null } = rest
    return { kind: 'server', address, model, key, context_tokens }
  }
  // From source and built alike, two folders down from the project's own.
  const home = resolve(import.meta.dirname, '..', '..', 'tools', 'llama')
  return file === undefined ? { kind: 'rules' } : { kind: 'model', file: resolve(file), home, context_tokens }
}

/** Named by the environment, else a file beside the data folder that only its owner may read. Never made anew where a store exists. */
function storeKey(data: string, file: string): Buffer {
  const given = process.env.AFTERWORD_SERVICE_KEY_FILE
  const path = given ?? `${data}.key`
  if (existsSync(path)) {
    const text = readFileSync(path, 'utf8').trim()
    if (!keyPattern.test(text)) stopWith(`The key file ${path} must hold 64 hexadecimal digits.`)
    return Buffer.from(text, 'hex')
  }
  if (given !== undefined) stopWith(`The key file ${path} is not there.`)
  if (existsSync(file))
    stopWith(`The key file ${path} is gone; without it this data cannot be opened. Put it back from a backup.`)
  const key = randomBytes(32)
  replaceFile(path, `${key.toString('hex')}\n`)
  chmodSync(path, 0o600)
  process.stderr.write(`warning: the key to this data is in ${path}. Keep a copy elsewhere, and keep others from reading it.\n`)
  return key
}

async function main(): Promise<void> {
  const options = readOptions()
  const speech = readSpeech()
  const language = readLanguage()
  if (process.env.DATABASE_URL !== undefined)
    stopWith('DATABASE_URL is set, but this release keeps its data in SQLite alone. Unset it.')
  const data = resolve(options.data)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  mkdirSync(dirname(data), { recursive: true })
  const file = join(data, 'service.db')
  const key = storeKey(data, file)
  const service = await openService({
    store: { kind: 'sqlite', file, key },
    audio: null,
    speech: () => speech,
    engines: forkedEngines(),
    models: { resources },
    language: () => language,
    clock: systemClock,
    log: lineLog((line) => process.stderr.write(`${line}\n`)),
    consentPolicy: 'asserted',
    caller: 'api-keys',
    plan: options.plan,
  })
  key.fill(0)
  const server = serve({ fetch: service.fetch, hostname: '127.0.0.1', port: options.port }, ({ port }: AddressInfo) => {
    if (service.ownerKey !== null) say(`owner key: ${service.ownerKey}`)
    say(`listening on http://127.0.0.1:${port}/v1`)
  })
  server.on('error', (error: NodeJS.ErrnoException) =>
    stopWith(`cannot listen on port ${options.port}: ${error.code ?? 'error'}`),
  )
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      isStopping = true
      // Calls under way are answered; work under way is taken up at the next start.
      server.close(() => void service.close().then(() => process.exit(0)))
    })
  }
}

await main()
