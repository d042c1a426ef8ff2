import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { open, stat } from 'node:fs/promises'
import { z } from 'zod'
import { AppError } from '#contract/errors.ts'

/** The parts of node-llama-cpp in use. The package is optional, so its types are not available here. */
export interface LlamaLibrary {
  getLlama(options: {
    gpu: false | 'auto'
    build: 'never'
    logLevel: 'disabled'
    progressLogs: false
    skipDownload: true
  }): Promise<Llama>
  readonly LlamaChatSession: new (options: {
    contextSequence: Sequence
    systemPrompt: string
    autoDisposeSequence: true
  }) => Session
}

export interface Llama {
  loadModel(options: { modelPath: string }): Promise<Model>
  createGrammarForJsonSchema(schema: Readonly<Record<string, unknown>>): Promise<Grammar>
}

export interface Model {
  readonly trainContextSize: number
  tokenize(text: string): readonly unknown[]
  createContext(options: { contextSize: { min: number; max: number }; threads: number }): Promise<Context>
}

export interface Context {
  readonly contextSize: number
  getSequence(): Sequence
}

interface Session {
  promptWithMeta(
    prompt: string,
    options: {
      grammar: Grammar
      maxTokens: number
      temperature: number
      seed: number
      signal: AbortSignal
      onTextChunk: (piece: string) => void
    },
  ): Promise<{ readonly stopReason: string }>
  dispose(): void
}

type Grammar = { readonly rootRuleName: string }
type Sequence = { readonly contextSize: number }

function libraryFile(home: string): string | null {
  const folder = join(home, 'node_modules', 'node-llama-cpp')
  try {
    const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { main: string }
    return join(folder, main)
  } catch {
    return null
  }
}

export async function importLibrary(home: string): Promise<LlamaLibrary | null> {
  const file = libraryFile(home)
  return file === null ? null : ((await import(/* @vite-ignore */ pathToFileURL(file).href)) as LlamaLibrary)
}

export interface LocalModel {
  readonly file: string
  readonly home: string
  readonly context_tokens: number | null
}

/** An estimate of the bytes for the context and the library, in addition to the size of the model file. */
const BESIDES = 0.8 * 1024 ** 3

const notInstalled =
  'What runs models on this laptop is not installed. Run "npm run llama" once, choose a model server, or write drafts without AI.'

export async function checkModel({ file, home }: LocalModel, availableBytes: number): Promise<void> {
  if (libraryFile(home) === null) throw new AppError('engine-not-ready', notInstalled)
  const bytes = await sizeOf(file)
  if (bytes === null) throw new AppError('engine-not-ready', 'The chosen model file is no longer there. Choose one in Settings.')
  if (!(await isGguf(file))) throw new AppError('engine-not-ready', 'The chosen file is not a model in the GGUF format.')
  const needed = bytes + BESIDES
  if (needed > availableBytes)
    throw new AppError(
      'engine-not-ready',
      `This model needs about ${inGigabytes(needed)} of memory, and ${inGigabytes(availableBytes)} is free. Close other programs, or choose a smaller model.`,
    )
}

const sizeOf = async (file: string): Promise<number | null> =>
  stat(file).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  )

async function isGguf(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.toString('latin1') === 'GGUF'
  } finally {
    await handle.close()
  }
}

const inGigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`

export const orderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('load'), home: z.string(), file: z.string(), context_tokens: z.int() }),
  z.object({
    kind: z.literal('ask'),
    id: z.int(),
    instructions: z.string(),
    prompt: z.string(),
    form: z.record(z.string(), z.unknown()),
    most_tokens: z.int(),
  }),
  z.object({ kind: z.literal('cancel'), id: z.int() }),
])

/** A message of the library could repeat the prompt, so only these reasons are reported. */
const reasonSchema = z.enum(['not-installed', 'not-loaded', 'too-long', 'cancelled', 'failed'])

export const reportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('loaded'), context_tokens: z.int() }),
  z.object({ kind: z.literal('text'), id: z.int(), piece: z.string() }),
  z.object({ kind: z.literal('done'), id: z.int(), is_cut: z.boolean(), read_tokens: z.int() }),
  z.object({ kind: z.literal('failed'), id: z.int().nullable(), reason: reasonSchema }),
])

export type Order = z.infer<typeof orderSchema>
export type Report = z.infer<typeof reportSchema>
export type Reason = z.infer<typeof reasonSchema>
