import { basename } from 'node:path'
import type { ModelTask, RecognizerKind } from '#contract/model/speech-model.ts'
import { onnxMetadata } from './onnx-file.ts'

/** Files of a folder that make up a model, by what each is to the engine. */
export interface Recognised {
  readonly task: ModelTask
  readonly kind: RecognizerKind | null
  /** Role to path. */
  readonly files: Readonly<Record<string, string>>
}

/** What a person's own files are, from their names and from what stands in them; a sentence that says why where they are nothing known. */
export function recognise(paths: readonly string[]): Recognised | string {
  const onnx = paths.filter((path) => /\.onnx$/i.test(path))
  const tokens = paths.find((path) => /(?:^|[-_.])tokens\.txt$/i.test(basename(path)))
  if (onnx.length === 0) return 'There is no .onnx file among them.'
  const broken = onnx.find((path) => onnxMetadata(path) === null)
  if (broken !== undefined) return `${basename(broken)} is damaged, cut off, or no model file.`
  return tokens === undefined ? helper(onnx) : recogniser(onnx, tokens)
}

function recogniser(onnx: readonly string[], tokens: string): Recognised | string {
  const as = (kind: RecognizerKind, roles: Readonly<Record<string, string | undefined>>): Recognised | null => {
    const files = Object.entries({ ...roles, tokens })
    return files.every(([, path]) => path !== undefined)
      ? { task: 'recognition', kind, files: Object.fromEntries(files) as Record<string, string> }
      : null
  }
  const named = (part: RegExp): string | undefined => smallerFirst(onnx).find((path) => part.test(basename(path)))
  const encoder = named(/(?:^|[-_.])encoder/i)
  const decoder = named(/(?:^|[-_.])decoder/i)
  const moonshine = as('moonshine', {
    preprocessor: named(/^preprocess/i),
    encoder: named(/^encode/i),
    uncached_decoder: named(/^uncached_decode/i),
    cached_decoder: named(/^cached_decode/i),
  })
  const transducer = as('transducer', { encoder, decoder, joiner: named(/(?:^|[-_.])joiner/i) })
  const isWhisper = encoder !== undefined && modelType(encoder).startsWith('whisper')
  const whisper = isWhisper ? as('whisper', { encoder, decoder }) : null
  return moonshine ?? transducer ?? whisper ?? ctc(onnx, tokens)
}

function ctc(onnx: readonly string[], tokens: string): Recognised | string {
  const model = smallerFirst(onnx)[0] ?? ''
  const kind = ctcKind(modelType(model))
  if (kind === null) return `${basename(model)} is no recogniser of a kind that runs here.`
  return { task: 'recognition', kind, files: { model, tokens } }
}

function ctcKind(type: string): RecognizerKind | null {
  if (type.startsWith('EncDec')) return 'nemo_ctc'
  if (type.startsWith('zipformer2_ctc')) return 'zipformer_ctc'
  return type === 'tdnn' ? 'tdnn_ctc' : null
}

function helper(onnx: readonly string[]): Recognised | string {
  const model = onnx[0] ?? ''
  if (onnx.length > 1) return 'A recogniser needs its tokens.txt; any other model is one file.'
  const metadata = onnxMetadata(model) ?? new Map<string, string>()
  const type = metadata.get('model_type') ?? ''
  const task = type.startsWith('pyannote-segmentation')
    ? 'segmentation'
    : type === 'gtcrn'
      ? 'denoise'
      : ['wespeaker', '3d-speaker', 'nemo'].includes(metadata.get('framework') ?? '') && metadata.has('output_dim')
        ? 'embedding'
        : null
  if (task === null) return `${basename(model)} is no model of a kind that runs here.`
  return { task, kind: null, files: { model } }
}

const modelType = (path: string): string => onnxMetadata(path)?.get('model_type') ?? ''

/** Where both are there, the one with whole numbers is the one for a laptop. */
function smallerFirst(paths: readonly string[]): string[] {
  const isSmaller = (path: string): number => (/int8/i.test(basename(path)) ? 0 : 1)
  return paths.toSorted((one, other) => isSmaller(one) - isSmaller(other) || one.localeCompare(other))
}
