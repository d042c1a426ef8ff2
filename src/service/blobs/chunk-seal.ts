import { KEY_BYTES, newKey, open, seal, SEAL_OVERHEAD } from '#base/aead.ts'
import { AppError } from '#contract/errors.ts'

/**
 * A chunk as it is stored:
 *
 *     chunk  =  0  1  version, 1
 *               1  1  1 where it is the last one, else 0
 *               2 ..  nonce, AES-256-GCM ciphertext, tag; associated data: blob id, number of the chunk (4), bytes 0 and 1
 *
 * Each blob has a key of its own, which is kept wrapped with the service's. A chunk of another blob, at another place,
 * or an end that is missing is found out when it is read.
 */
const VERSION = 1
const HEADER_BYTES = 2
export const CHUNK_OVERHEAD = HEADER_BYTES + SEAL_OVERHEAD

export interface Place {
  readonly blob: string
  readonly number: number
}

export function sealChunk(key: Uint8Array, place: Place, bytes: Uint8Array, isLast: boolean): Buffer {
  const header = Buffer.from([VERSION, isLast ? 1 : 0])
  return Buffer.concat([header, seal(key, bytes, associated(place, header))])
}

/** @throws AppError `recording-damaged` */
export function openChunk(key: Uint8Array, place: Place, chunk: Uint8Array): { bytes: Buffer; isLast: boolean } {
  const header = chunk.subarray(0, HEADER_BYTES)
  const bytes = header[0] === VERSION ? open(key, chunk.subarray(HEADER_BYTES), associated(place, header)) : null
  if (bytes === null) throw damaged()
  return { bytes, isLast: header[1] === 1 }
}

export function wrapNewKey(serviceKey: Uint8Array, blob: string): Buffer {
  const key = newKey()
  const wrapped = wrapKey(serviceKey, blob, key)
  key.fill(0)
  return wrapped
}

export function wrapKey(serviceKey: Uint8Array, blob: string, key: Uint8Array): Buffer {
  return seal(serviceKey, key, Buffer.from(`blob key ${blob}`))
}

/** @throws AppError `recording-damaged` */
export function unwrapKey(serviceKey: Uint8Array, blob: string, wrapped: Uint8Array): Buffer {
  const key = open(serviceKey, wrapped, Buffer.from(`blob key ${blob}`))
  if (key?.length !== KEY_BYTES) throw damaged()
  return key
}

export function damaged(): AppError {
  return new AppError('recording-damaged', 'Part of the audio that was sent cannot be read any more. Send it again.')
}

function associated({ blob, number }: Place, header: Uint8Array): Buffer {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(number)
  return Buffer.concat([Buffer.from(blob.replaceAll('-', ''), 'hex'), counter, header])
}
