import { basename } from 'node:path'
import type { ModelTask, RecognizerKind } from '#contract/model/speech-model.ts'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export interface Recognised {
  readonly task: ModelTask
  readonly kind: RecognizerKind | null
  readonly files: Readonly<Record<string, string>>
}

export function recognise(paths: readonly string[]): Recognised | string {
  const onnx = paths.filter((path) => /\.onnx$/i.test(path))
  const tokens = paths.find((path) => /(?:^|[-_.])tokens\.txt$/i.test(basename(path)))
  if (onnx.length === 0) return 'None of them is an .onnx file.'
  const broken = onnx.find((path) => onnxMetadata(path) === null)
  if (broken !== undefined) return `${basename(broken)} is damaged, incomplete, or not a model file.`
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
  if (kind === null) return `${basename(model)} isn’t a supported speech-to-text model.`
  return { task: 'recognition', kind, files: { model, tokens } }
}

function ctcKind(type: string): RecognizerKind | null {
  if (type.startsWith('EncDec')) return 'nemo_ctc'
  if (type.startsWith('zipformer2_ctc')) return 'zipformer_ctc'
  return type === 'tdnn' ? 'tdnn_ctc' : null
}

function helper(onnx: readonly string[]): Recognised | string {
  const model = onnx[0] ?? ''
  if (onnx.length > 1) return 'A speech-to-text model needs its tokens.txt. Any other model is one file.'
  const metadata = onnxMetadata(model) ?? new Map<string, string>()
  const type = metadata.get('model_type') ?? ''
  const task = type.startsWith('pyannote-segmentation')
    ? 'segmentation'
    : type === 'gtcrn'
      ? 'denoise'
      : ['wespeaker', '3d-speaker', 'nemo'].includes(metadata.get('framework') ?? '') && metadata.has('output_dim')
        ? 'embedding'
        : null
  if (task === null) return `${basename(model)} isn’t a supported model.`
  return { task, kind: null, files: { model } }
}

const modelType = (path: string): string => onnxMetadata(path)?.get('model_type') ?? ''

function smallerFirst(paths: readonly string[]): string[] {
  const isSmaller = (path: string): number => (/int8/i.test(basename(path)) ? 0 : 1)
  return paths.toSorted((one, other) => isSmaller(one) - isSmaller(other) || one.localeCompare(other))
}

/** Field numbers in ModelProto of onnx.proto. */
const GRAPH_FIELD = 7
const METADATA_FIELD = 14

const MAX_ENTRY = 1024 * 1024

export function onnxMetadata(path: string): ReadonlyMap<string, string> | null {
  const file = openSync(path, 'r')
  try {
    return readModel(file, fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

function readModel(file: number, size: number): Map<string, string> | null {
  const metadata = new Map<string, string>()
  let hasGraph = false
  let at = 0
  while (at < size) {
    const key = varint(file, at)
    if (key === null) return null
    const field = Math.floor(key.value / 8)
    const value = varint(file, key.next)
    if (value === null || field === 0) return null
    switch (key.value % 8) {
      case 0:
        at = value.next
        break
      case 2:
        at = value.next + value.value
        if (at > size) return null
        if (field === GRAPH_FIELD) hasGraph = true
        if (field === METADATA_FIELD && value.value <= MAX_ENTRY) addEntry(metadata, bytesAt(file, value.next, value.value))
        break
      default:
        return null
    }
  }
  return hasGraph ? metadata : null
}

function addEntry(metadata: Map<string, string>, entry: Buffer): void {
  const parts: string[] = []
  for (let at = 0; at < entry.length;) {
    const length = varintIn(entry, at + 1)
    if (length === null) return
    parts.push(entry.toString('utf8', length.next, length.next + length.value))
    at = length.next + length.value
  }
  if (parts.length === 2) metadata.set(parts[0] ?? '', parts[1] ?? '')
}

interface Read {
  readonly value: number
  readonly next: number
}

function varint(file: number, at: number): Read | null {
  const found = varintIn(bytesAt(file, at, 10), 0)
  return found && { value: found.value, next: at + found.next }
}

function varintIn(bytes: Buffer, from: number): Read | null {
  let value = 0
  for (let index = from; index < Math.min(bytes.length, from + 8); index += 1) {
    const byte = bytes[index] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * (index - from))
    if (byte < 0x80) return { value, next: index + 1 }
  }
  return null
}

function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, at))
}
