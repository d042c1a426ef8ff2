import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { deriveKey, open, seal } from '#base/aead.ts'
import { protectionSchema } from '#contract/bridge/app.ts'
import { idSchema, timestampSchema } from '#contract/model/common.ts'
import { stretch, stretchingSchema } from './passphrase.ts'
import type { Stretching } from './passphrase.ts'

const SALT_BYTES = 16
const base64Schema = z.base64().max(200)
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/)

/** How the data key is kept. Holds no secret: each envelope needs one that is somewhere else. */
const bodySchema = z.strictObject({
  format: z.literal('afterword-vault'),
  version: z.literal(1),
  /** `creating` until the first run is finished: until then there is nothing to lose. */
  state: z.enum(['creating', 'made']),
  profile_id: idSchema,
  created_at: timestampSchema,
  protection: protectionSchema,
  /** See `keyCheck`. */
  key_check: hashSchema,
  passphrase: z.strictObject({ stretching: stretchingSchema, salt: base64Schema, wrapped: base64Schema }).nullable(),
  recovery: z.strictObject({ wrapped: base64Schema }),
})

const fileSchema = bodySchema.extend({ checksum: hashSchema })
export type Envelope = z.infer<typeof bodySchema>

/** Sorted by the schema, so that the same body always has the same checksum. */
export function writeEnvelope(envelope: Envelope): string {
  const body = bodySchema.parse(envelope)
  return `${JSON.stringify({ ...body, checksum: checksumOf(body) }, null, 2)}\n`
}

/** The body; `newer` where a later version wrote it, `damaged` where it cannot be read. */
export function readEnvelope(text: string): Envelope | 'newer' | 'damaged' {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'damaged'
  }
  const parsed = fileSchema.safeParse(json)
  if (!parsed.success)
    return z.object({ format: z.literal('afterword-vault'), version: z.int().min(2) }).safeParse(json).success
      ? 'newer'
      : 'damaged'
  const { checksum, ...body } = parsed.data
  return checksumOf(body) === checksum ? body : 'damaged'
}

function checksumOf(body: Envelope): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex')
}

export async function wrapWithPassphrase(
  dataKey: Uint8Array,
  passphrase: string,
  stretching: Stretching,
  profileId: string,
): Promise<NonNullable<Envelope['passphrase']>> {
  const salt = randomBytes(SALT_BYTES)
  const key = await stretch(passphrase, salt, stretching)
  const wrapped = sealWith(key, dataKey, profileId, 'passphrase')
  return { stretching, salt: salt.toString('base64'), wrapped }
}

/** Null: not this passphrase. */
export async function unwrapWithPassphrase(envelope: Envelope, passphrase: string): Promise<Buffer | null> {
  if (envelope.passphrase === null) return null
  const { salt, stretching, wrapped } = envelope.passphrase
  const key = await stretch(passphrase, Buffer.from(salt, 'base64'), stretching)
  return openWith(key, wrapped, envelope.profile_id, 'passphrase')
}

export function wrapWithRecovery(dataKey: Uint8Array, secret: Uint8Array, profileId: string): Envelope['recovery'] {
  return { wrapped: sealWith(recoveryKey(secret), dataKey, profileId, 'recovery') }
}

/** Null: not the code of this profile. */
export function unwrapWithRecovery(envelope: Envelope, secret: Uint8Array): Buffer | null {
  return openWith(recoveryKey(secret), envelope.recovery.wrapped, envelope.profile_id, 'recovery')
}

/** HKDF is enough here, no Argon2: the code is 160 uniformly random bits, which no guessing reaches. */
function recoveryKey(secret: Uint8Array): Buffer {
  return deriveKey(secret, 'afterword/1/recovery')
}

function sealWith(key: Buffer, dataKey: Uint8Array, profileId: string, purpose: string): string {
  const wrapped = seal(key, dataKey, associated(profileId, purpose))
  key.fill(0)
  return wrapped.toString('base64')
}

function openWith(key: Buffer, wrapped: string, profileId: string, purpose: string): Buffer | null {
  const dataKey = open(key, Buffer.from(wrapped, 'base64'), associated(profileId, purpose))
  key.fill(0)
  return dataKey
}

function associated(profileId: string, purpose: string): Buffer {
  return Buffer.from(`afterword/1/envelope/${profileId}/${purpose}`)
}
