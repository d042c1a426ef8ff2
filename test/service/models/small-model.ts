import type { WrittenEntry } from '#service/models/catalogue.ts'
import type { InstallTuning } from '#service/models/install.ts'

export const repositoryName = 'owner/small'

const hosted = (role: string, name: string): WrittenEntry['files'][number] => ({
  role,
  name,
  address: `https://huggingface.co/${repositoryName}/resolve/main/${name}`,
  bytes: null,
  sha256: null,
})

const shared = {
  languages: ['en'],
  licence: 'MIT',
  page: 'https://huggingface.co/owner/small',
  memory_mb: 100,
  speed_factor: null,
  notes: null,
}
export const smallEntry: WrittenEntry = {
  ...shared,
  id: 'small',
  name: 'Small one',
  task: 'recognition',
  kind: 'tdnn_ctc',
  listed_megabytes: 0.7,
  rank: 10,
  files: [hosted('model', 'model.onnx'), hosted('tokens', 'tokens.txt')],
}

/** No waiting, no room to spare, no proxy. */
export const quick: InstallTuning = { pauses: [0, 0, 0, 0], reserve: 0, proxyFor: async () => null, idleMs: 2000 }
