import { z } from 'zod'
import type { WrittenEntry, Catalogue } from './catalogue.ts'
import { catalogueEntrySchema } from './catalogue.ts'

type WrittenFile = WrittenEntry['files'][number]

/** The sherpa-onnx maintainer publishes each model as single files. */
const repository = (name: string): string => `https://huggingface.co/csukuangfj/${name}`

function hosted(repositoryName: string, role: string, name: string): WrittenFile {
  const address = `${repository(repositoryName)}/resolve/main/${encodeURIComponent(name)}`
  return { role, name, address, bytes: null, sha256: null }
}

const european = 'bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk'.split(' ')

/** Whisper's language list, without the languages it supports in name only. */
const whispered =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'.split(
    ' ',
  )

const parakeet = (
  version: 'v2' | 'v3',
  more: Pick<WrittenEntry, 'languages' | 'listed_megabytes' | 'rank' | 'notes'>,
): WrittenEntry => {
  const from = `sherpa-onnx-nemo-parakeet-tdt-0.6b-${version}-int8`
  return {
    id: `parakeet-tdt-0.6b-${version}-int8`,
    name: `Parakeet 0.6B ${version}`,
    task: 'recognition',
    kind: 'transducer',
    licence: 'CC-BY-4.0 (NVIDIA)',
    page: repository(from),
    memory_mb: 1600,
    speed_factor: null,
    files: [
      hosted(from, 'encoder', 'encoder.int8.onnx'),
      hosted(from, 'decoder', 'decoder.int8.onnx'),
      hosted(from, 'joiner', 'joiner.int8.onnx'),
      hosted(from, 'tokens', 'tokens.txt'),
    ],
    ...more,
  }
}

interface WhisperSize {
  readonly size: string
  readonly name: string
  readonly listed_megabytes: number
  readonly memory_mb: number
  readonly rank: number
  readonly notes: string | null
}

const whisper = ({ size, name, ...more }: WhisperSize): WrittenEntry => {
  const from = `sherpa-onnx-whisper-${size}`
  return {
    id: `whisper-${size}-int8`,
    name: `Whisper ${name}`,
    task: 'recognition',
    kind: 'whisper',
    languages: size.endsWith('.en') ? ['en'] : whispered,
    licence: 'MIT (OpenAI)',
    page: repository(from),
    speed_factor: null,
    files: [
      hosted(from, 'encoder', `${size}-encoder.int8.onnx`),
      hosted(from, 'decoder', `${size}-decoder.int8.onnx`),
      hosted(from, 'tokens', `${size}-tokens.txt`),
    ],
    ...more,
  }
}

const moonshine = (
  size: 'tiny' | 'base',
  more: Pick<WrittenEntry, 'listed_megabytes' | 'memory_mb' | 'rank' | 'notes'>,
): WrittenEntry => {
  const from = `sherpa-onnx-moonshine-${size}-en-int8`
  return {
    id: `moonshine-${size}-en-int8`,
    name: `Moonshine ${size}`,
    task: 'recognition',
    kind: 'moonshine',
    languages: ['en'],
    licence: 'MIT (Useful Sensors)',
    page: repository(from),
    speed_factor: null,
    files: [
      hosted(from, 'preprocessor', 'preprocess.onnx'),
      hosted(from, 'encoder', 'encode.int8.onnx'),
      hosted(from, 'uncached_decoder', 'uncached_decode.int8.onnx'),
      hosted(from, 'cached_decoder', 'cached_decode.int8.onnx'),
      hosted(from, 'tokens', 'tokens.txt'),
    ],
    ...more,
  }
}

/** `memory_mb` is an estimate, not a measurement: the files once, plus working memory. */
const recognitionModels: readonly WrittenEntry[] = [
  parakeet('v3', {
    languages: european,
    listed_megabytes: 670,
    rank: 90,
    notes: 'Writes punctuation and capitals, with a time for each word. 25 European languages, told apart by itself.',
  }),
  parakeet('v2', {
    languages: ['en'],
    listed_megabytes: 661,
    rank: 95,
    notes: 'English alone. Writes punctuation and capitals, with a time for each word.',
  }),
  whisper({
    size: 'tiny.en',
    name: 'tiny, English',
    listed_megabytes: 104,
    memory_mb: 400,
    rank: 20,
    notes: 'Small and quick; hears least well.',
  }),
  whisper({ size: 'base.en', name: 'base, English', listed_megabytes: 161, memory_mb: 500, rank: 40, notes: null }),
  whisper({ size: 'small.en', name: 'small, English', listed_megabytes: 375, memory_mb: 1000, rank: 60, notes: null }),
  whisper({
    size: 'tiny',
    name: 'tiny',
    listed_megabytes: 104,
    memory_mb: 400,
    rank: 15,
    notes: 'Small and quick; hears least well.',
  }),
  whisper({ size: 'base', name: 'base', listed_megabytes: 161, memory_mb: 500, rank: 35, notes: null }),
  whisper({ size: 'small', name: 'small', listed_megabytes: 375, memory_mb: 1000, rank: 55, notes: null }),
  whisper({
    size: 'medium',
    name: 'medium',
    listed_megabytes: 946,
    memory_mb: 2500,
    rank: 50,
    notes: 'Slow without a graphics card.',
  }),
  whisper({
    size: 'turbo',
    name: 'large v3 turbo',
    listed_megabytes: 1037,
    memory_mb: 2800,
    rank: 52,
    notes: 'Slow without a graphics card.',
  }),
  moonshine('tiny', { listed_megabytes: 125, memory_mb: 400, rank: 30, notes: 'English alone; made for short delays.' }),
  moonshine('base', { listed_megabytes: 288, memory_mb: 800, rank: 50, notes: 'English alone; made for short delays.' }),
]

/** Voice activity, segmentation and noise reduction; small and language independent. */
const helperModels: readonly WrittenEntry[] = [
  {
    id: 'silero-vad-6.2',
    name: 'Silero voice activity 6.2',
    task: 'vad',
    kind: null,
    languages: [],
    licence: 'MIT (Silero Team)',
    page: 'https://github.com/snakers4/silero-vad',
    listed_megabytes: 1.3,
    memory_mb: 20,
    // Measured: real-time factor 0.004 on one thread of a two-core machine.
    speed_factor: 250,
    rank: 50,
    notes: 'Finds where somebody speaks, so that silence stays silence.',
    files: [
      {
        role: 'model',
        name: 'silero_vad_16k_op15.onnx',
        address: 'https://raw.githubusercontent.com/snakers4/silero-vad/v6.2.1/src/silero_vad/data/silero_vad_16k_op15.onnx',
        bytes: 1_289_603,
        sha256: '7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49',
      },
    ],
  },
  {
    id: 'pyannote-segmentation-3.0',
    name: 'Pyannote segmentation 3.0',
    task: 'segmentation',
    kind: null,
    languages: [],
    licence: 'MIT (CNRS)',
    page: repository('sherpa-onnx-pyannote-segmentation-3-0'),
    listed_megabytes: 6,
    memory_mb: 60,
    speed_factor: null,
    rank: 50,
    notes: 'Finds where one voice ends and another begins.',
    files: [hosted('sherpa-onnx-pyannote-segmentation-3-0', 'model', 'model.onnx')],
  },
  {
    id: 'gtcrn-simple',
    name: 'GTCRN noise reduction',
    task: 'denoise',
    kind: null,
    languages: [],
    licence: 'MIT (Xiaobin Rong)',
    page: 'https://github.com/Xiaobin-Rong/gtcrn',
    listed_megabytes: 0.5,
    memory_mb: 30,
    // Measured: real-time factor 0.045 on one thread of a two-core machine.
    speed_factor: 22,
    rank: 50,
    notes: 'Optional. Helps in a noisy room.',
    files: [
      {
        role: 'model',
        name: 'gtcrn_simple.onnx',
        address: 'https://github.com/k2-fsa/sherpa-onnx/releases/download/speech-enhancement-models/gtcrn_simple.onnx',
        bytes: 535_638,
        sha256: 'e77603ac0c23dac3227dd2d7135b3a585cbee2679048aecfa886657d3ae1b534',
      },
    ],
  },
]

const embeddingRepository = 'speaker-embedding-models'

const embedding = (
  file: string,
  more: Pick<WrittenEntry, 'id' | 'name' | 'licence' | 'listed_megabytes' | 'rank' | 'notes'>,
): WrittenEntry => ({
  task: 'embedding',
  kind: null,
  languages: [],
  page: repository(embeddingRepository),
  memory_mb: 120,
  speed_factor: null,
  files: [hosted(embeddingRepository, 'model', file)],
  ...more,
})

const embeddingModels: readonly WrittenEntry[] = [
  embedding('wespeaker_en_voxceleb_resnet34_LM.onnx', {
    id: 'wespeaker-resnet34-lm',
    name: 'WeSpeaker ResNet34',
    licence: 'CC-BY-4.0 (WeSpeaker)',
    listed_megabytes: 27,
    rank: 60,
    notes: 'Tells voices apart.',
  }),
  embedding('nemo_en_titanet_small.onnx', {
    id: 'nemo-titanet-small',
    name: 'TitaNet small',
    licence: 'CC-BY-4.0 (NVIDIA)',
    listed_megabytes: 40,
    rank: 50,
    notes: 'Tells voices apart.',
  }),
  embedding('3dspeaker_speech_campplus_sv_en_voxceleb_16k.onnx', {
    id: '3dspeaker-campplus-en',
    name: '3D-Speaker CAM++',
    licence: 'Apache-2.0 (3D-Speaker)',
    listed_megabytes: 30,
    rank: 40,
    notes: 'Tells voices apart.',
  }),
]

export function readCatalogue(written: readonly WrittenEntry[]): Catalogue {
  return z.array(catalogueEntrySchema).parse(written)
}

export const catalogue: Catalogue = readCatalogue([...recognitionModels, ...helperModels, ...embeddingModels])
