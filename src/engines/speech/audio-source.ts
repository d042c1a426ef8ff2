import { AppError } from '#contract/errors.ts'
import { mediaTypeOf, tellingBytes } from './media-type.ts'
import type { FileKind } from './port.ts'
import { decodeOggOpus } from './decode-opus.ts'
import { decodeWavStream, readWav } from './decode-wav.ts'
import { decodeWebmOpus } from './decode-webm.ts'

export type AudioKind = 'wav' | 'ogg' | 'webm'

const kinds: Readonly<Record<string, AudioKind>> = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'application/ogg': 'ogg',
  'audio/webm': 'webm',
}

/**
 * What this service can decode by itself.
 *
 * @throws AppError `unsupported-media`
 */
export function kindOf(mediaType: string): AudioKind {
  const kind = kinds[mediaType.split(';')[0]!.trim().toLowerCase()]
  if (kind === undefined)
    throw new AppError(
      'unsupported-media',
      'Audio must be WAV, or Opus in Ogg or WebM; other kinds are taken by a speech server alone.',
    )
  return kind
}

const files: Readonly<Record<string, FileKind>> = { 'audio/flac': 'flac', 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a' }
/** What servers take of a file at once. */
const largestFile = 25 * 1024 * 1024

/**
 * The kind of a file that only a server can read, which is sent there as it is; null for what is decoded here.
 *
 * @throws AppError `unsupported-media`, `too-large`
 */
export function fileKindOf(mediaType: string, bytes: number, hasServer: boolean): FileKind | null {
  const kind = files[mediaType]
  if (kind === undefined) return null
  if (!hasServer)
    throw new AppError(
      'unsupported-media',
      'The models on this machine hear WAV, and Opus in Ogg or WebM; other kinds need a speech server.',
    )
  if (bytes > largestFile)
    throw new AppError('too-large', 'A speech server takes at most 25 MiB of this kind. Send WAV, or Opus in Ogg or WebM.')
  return kind
}

/** Before it is taken in: that it is what it says it is. */
export function checkAudio(bytes: Uint8Array, kind: AudioKind): void {
  if (kind === 'wav') return void readWav(bytes)
  if (kind === 'webm') return void mediaTypeOf(bytes.subarray(0, tellingBytes))
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 100)).toString('latin1')
  if (!head.startsWith('OggS') || !head.includes('OpusHead')) throw new AppError('unsupported-media', 'This is not Opus in Ogg.')
}

export function decode(kind: AudioKind, bytes: AsyncIterable<Uint8Array>): AsyncIterable<Float32Array> {
  return kind === 'wav' ? decodeWavStream(bytes) : kind === 'webm' ? decodeWebmOpus(bytes) : decodeOggOpus(bytes)
}
