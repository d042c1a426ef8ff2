import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The part of node-llama-cpp 3.21 that is used. It is an install of its own, so its types are not there to build with. */
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

export interface Session {
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

export type Grammar = { readonly rootRuleName: string }
type Sequence = { readonly contextSize: number }

/** Of the folder it was installed into, wherever that is; null where it is not there. */
export function libraryFile(home: string): string | null {
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
