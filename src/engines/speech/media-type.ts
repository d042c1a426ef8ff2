import { AppError } from '#contract/errors.ts'

export const TELLING_BYTES = 4096

type Kind = readonly [mediaType: string, is: (head: Buffer) => boolean]
const at = (head: Buffer, start: number, text: string): boolean => head.toString('latin1', start, start + text.length) === text
const has = (head: Buffer, text: string): boolean => head.includes(Buffer.from(text, 'latin1'))

/** Detected by magic bytes. Ogg and WebM must also declare Opus. */
const kinds: readonly Kind[] = [
  ['audio/ogg', (head) => at(head, 0, 'OggS') && has(head.subarray(0, 100), 'OpusHead')],
  ['audio/webm', (head) => at(head, 0, '\u001aE\u00df\u00a3') && has(head, 'webm') && has(head, 'A_OPUS')],
  ['audio/wav', (head) => at(head, 0, 'RIFF') && at(head, 8, 'WAVE')],
  ['audio/flac', (head) => at(head, 0, 'fLaC')],
  [
    'audio/mp4',
    (head) =>
      at(head, 4, 'ftyp') && ['M4A ', 'M4B ', 'mp42', 'mp41', 'isom', 'iso2', 'iso5', 'iso6'].some((brand) => at(head, 8, brand)),
  ],
  ['audio/mpeg', (head) => at(head, 0, 'ID3') || isMp3Frame(head)],
]

/** ISO 11172-3, 2.4.1.3: sync word, layer III, and a valid bitrate and sample rate. */
function isMp3Frame(head: Buffer): boolean {
  const [sync = 0, version = 0, rates = 0] = head
  const isLayer3 = sync === 0xff && (version & 0xe0) === 0xe0 && (version & 0x18) !== 0x08 && (version & 0x06) === 0x02
  return isLayer3 && rates >> 4 !== 0 && rates >> 4 !== 15 && (rates & 0x0c) !== 0x0c
}

/** @throws AppError `unsupported-media` */
export function mediaTypeOf(head: Uint8Array): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const kind = kinds.find(([, is]) => is(bytes))
  if (kind === undefined)
    throw new AppError('unsupported-media', 'This is not audio that can be taken: Opus in Ogg or WebM, WAV, FLAC, MP3 or M4A.')
  return kind[0]
}
