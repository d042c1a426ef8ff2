import { hashRaw } from '@node-rs/argon2'
import { z } from 'zod'
import { KEY_BYTES } from '#base/aead.ts'
import { AppError } from '#contract/errors.ts'

const LEAST_PASSPHRASE_CHARACTERS = 12

/**
 * Stored in the envelope, so that the defaults can be raised. The bounds keep a damaged file from exhausting memory.
 */
export const stretchingSchema = z.strictObject({
  algorithm: z.literal('argon2id'),
  memory_kib: z.int().min(19_456).max(1_048_576),
  passes: z.int().min(2).max(20),
  lanes: z.int().min(1).max(8),
})
export type Stretching = z.infer<typeof stretchingSchema>

export const currentStretching: Stretching = { algorithm: 'argon2id', memory_kib: 65_536, passes: 3, lanes: 1 }

const ARGON2ID = 2

export function checkPassphrase(passphrase: string): void {
  if ([...passphrase].length < LEAST_PASSPHRASE_CHARACTERS) throw new AppError('passphrase-too-short')
}

/** Argon2id (RFC 9106). NFKC makes the result independent of how a keyboard composes characters. */
export async function stretch(passphrase: string, salt: Uint8Array, stretching: Stretching): Promise<Buffer> {
  const bytes = Buffer.from(passphrase.normalize('NFKC'))
  try {
    return await hashRaw(bytes, {
      algorithm: ARGON2ID,
      memoryCost: stretching.memory_kib,
      timeCost: stretching.passes,
      parallelism: stretching.lanes,
      outputLen: KEY_BYTES,
      salt,
    })
  } finally {
    bytes.fill(0)
  }
}
