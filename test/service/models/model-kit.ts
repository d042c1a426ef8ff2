import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'
import type { Operation } from '#contract/model/operation.ts'
import type { SpeechModel } from '#contract/model/speech-model.ts'
import { readCatalogue } from '#service/models/known-models.ts'
import type { ModelOptions } from '#service/models/open-models.ts'
import type { ServiceOptions } from '#service/compose/open-service.ts'
import { openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import { type SourceServer, startSource } from './misbehaving-source.ts'
import { quick, repositoryName, smallEntry } from './small-model.ts'

/** Larger than what fits into the buffers between two processes, so that a cut is felt. */
export const files = { 'model.onnx': randomBytes(700_000), 'tokens.txt': Buffer.from('a 0\nb 1\n') }
export interface ModelKit extends ServiceKit {
  readonly source: SourceServer
  readonly folder: string
  install(id?: string): Promise<Operation>
  ended(operation: string): Promise<Operation>
  installed(id?: string): Promise<Operation>
  model(id?: string): Promise<SpeechModel>
  /** Names under the folder of models, `.incoming` among them. */
  names(): string[]
}

export async function openModelKit(
  models: ModelOptions = {},
  { written = [smallEntry], options = {} as Partial<ServiceOptions> } = {},
): Promise<ModelKit> {
  const source = await startSource({ [repositoryName]: files })
  const all = { catalogue: readCatalogue(written), tuning: quick, ...models }
  const kit = await openKit({ models: all, waitMs: 0, ...options })
  const folder = models.folder ?? join(dirname(kit.file), 'models')
  const { client } = kit
  const ended = (id: string): Promise<Operation> =>
    vi.waitUntil(
      async () => {
        const { data } = await client.call('getOperation', { params: { id } })
        return data.status === 'queued' || data.status === 'running' ? null : data
      },
      { timeout: 60_000, interval: 10 },
    )
  const install = async (id = 'small'): Promise<Operation> =>
    (await client.call('installModel', { params: { id }, body: { mirror: source.address }, preferAsync: true })).data as Operation
  return {
    ...kit,
    source,
    folder,
    install,
    ended,
    installed: async (id) => ended((await install(id)).id),
    model: async (id = 'small') => {
      const found = (await client.call('listModels', {})).data.data.find((model) => model.id === id)
      if (found === undefined) throw new Error(`no model ${id}`)
      return found
    },
    names: () => (existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).toSorted() : []),
    close: async () => {
      await kit.close()
      await source.close()
    },
  }
}
