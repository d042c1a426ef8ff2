import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { InstalledModel, ModelList, SpeechModel } from '#contract/model/speech-model.ts'
import { catalogue } from '#service/models/known-models.ts'
import { recommended } from '#service/models/installed.ts'

/** How far the laptop in the picture is with its models. */
export type DemoModels = 'nothing yet' | 'no room' | 'on its way' | 'interrupted' | 'all there'

const memory_mb = 7800
const suggested = recommended(catalogue, memory_mb, 'en')

function available(id: string): SpeechModel {
  const entry = catalogue.find((found) => found.id === id)
  if (entry === undefined) throw new Error(`no model ${id}`)
  const { listed_megabytes: megabytes, rank: _, files: __, ...shown } = entry
  return {
    ...shown,
    megabytes,
    recommended: suggested.has(id),
    state: 'available',
    installed: null,
    operation: null,
    failure: null,
    kept_bytes: 0,
  }
}

function installed(model: SpeechModel, more: Partial<InstalledModel> = {}): SpeechModel {
  const { id, name, task, kind, languages, megabytes } = model
  const bytes = Math.round(megabytes * 1_000_000)
  const isHearing = task === 'recognition'
  const files = [{ name: 'model.onnx', bytes, sha256: '0'.repeat(64), checksum_from: 'source' as const }]
  const self_test = isHearing ? { at: '2026-11-20T09:00:00Z', seconds_of_sound: 6.3, seconds_taken: 0.7, words: 21 } : null
  const record = { id, name, task, kind, languages, bytes, files, self_test, self_test_problem: null }
  return {
    ...model,
    state: 'installed',
    installed: { ...record, origin: 'source', chosen: true, installed_at: '2026-11-20T09:00:00Z', ...more },
  }
}

const changes: Readonly<Record<DemoModels, Readonly<Record<string, (model: SpeechModel) => SpeechModel>>>> = {
  'nothing yet': {},
  'no room': {},
  interrupted: {
    'parakeet-tdt-0.6b-v2-int8': (model) => ({
      ...model,
      kept_bytes: 310_000_000,
      failure: { code: 'download-failed', detail: null },
    }),
    'silero-vad-6.2': (model) => installed(model),
  },
  'on its way': {
    'parakeet-tdt-0.6b-v2-int8': (model) => ({
      ...model,
      state: 'installing',
      operation: { id: '01930001-0000-7000-8000-000000000009', progress: 0.47 },
    }),
    'silero-vad-6.2': (model) => installed(model),
    'pyannote-segmentation-3.0': (model) => ({
      ...model,
      state: 'queued',
      operation: { id: '01930001-0000-7000-8000-00000000000a', progress: 0 },
    }),
    'wespeaker-resnet34-lm': (model) => ({
      ...model,
      failure: {
        code: 'model-mismatch',
        detail: 'Afterword received a web page instead of the model. The network may need a sign-in.',
      },
    }),
    'whisper-small-int8': (model) => ({
      ...model,
      kept_bytes: 120_000_000,
      failure: {
        code: 'download-failed',
        detail: 'The connection was interrupted several times. The downloaded part is saved. Resume when you’re online.',
      },
    }),
  },
  'all there': {
    'parakeet-tdt-0.6b-v2-int8': (model) => installed(model),
    'moonshine-base-en-int8': (model) =>
      installed(model, {
        chosen: false,
        self_test: null,
        self_test_problem: 'The model couldn’t be loaded. It may need more memory than this computer has.',
      }),
    'silero-vad-6.2': (model) => installed(model),
    'pyannote-segmentation-3.0': (model) => ({ ...installed(model), state: 'damaged' }),
    'wespeaker-resnet34-lm': (model) => installed(model),
  },
}

export function demoModels(how: DemoModels): ModelList {
  const data = catalogue.map(({ id }) => (changes[how][id] ?? ((model) => model))(available(id)))
  return {
    data,
    machine: { memory_mb, free_bytes: how === 'no room' ? 300_000_000 : 41_300_000_000, imports: true, tests: true },
  }
}

/** Model files that write drafts; the installed app runs none. */
export function demoDraftModels(isPackaged: boolean): MethodOutput<'settings.draftModels'> {
  const folder = '~/Afterword/draft-models'
  if (isPackaged) return { offered: false, installed: false, folder, files: [] }
  return { offered: true, installed: false, folder, files: [{ name: 'qwen3-4b-q4_k_m.gguf', bytes: 2_500_000_000 }] }
}
