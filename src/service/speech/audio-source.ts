import { AppError } from '#contract/errors.ts'
import { decodeOggOpus } from './decode-opus.ts'
import { decodeWav, readWav } from './decode-wav.ts'

export type AudioKind = 'wav' | 'ogg'

const kinds: Readonly<Record<string, AudioKind>> = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'application/ogg': 'ogg',
}

/**
 * What this service can decode by itself.
 *
 * @throws AppError `unsupported-media`
 */
export function kindOf(mediaType: string): AudioKind {
  const kind = kinds[mediaType.split(';')[0]!.trim().toLowerCase()]
  if (kind === undefined) throw new AppError('unsupported-media', 'Audio must be WAV, or Opus in Ogg.')
  return kind
}

/** Before it is taken in: that it is what it says it is. */
export function checkAudio(bytes: Uint8Array, kind: AudioKind): void {
  if (kind === 'wav') return void readWav(bytes)
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 100)).toString('latin1')
  if (!head.startsWith('OggS') || !head.includes('OpusHead')) throw new AppError('unsupported-media', 'This is not Opus in Ogg.')
}

export function decode(kind: AudioKind, bytes: AsyncIterable<Uint8Array>, whole: Uint8Array | null): AsyncIterable<Float32Array> {
  return kind === 'wav' && whole !== null ? decodeWav(whole) : decodeOggOpus(bytes)
}
