import type { WrittenEntry } from '../catalogue-entry.ts'
import { hosted, repository } from './written.ts'

/** The 25 languages that the publisher of Parakeet v3 names. */
const european = 'bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk'.split(' ')

/** Whisper's own list of languages, without those it is known to be poor in only by name. */
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

/** Memory is an estimate: the files once, and room to work in. It is for choosing a size, and measured nowhere. */
export const recognitionModels: readonly WrittenEntry[] = [
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
