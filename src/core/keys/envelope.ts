import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import { z } from 'zod'
import { MIN_PASSPHRASE_CHARACTERS, type Protection, protectionSchema } from '#contract/bridge/app.ts'
import { AppError } from '#contract/errors.ts'
import { idSchema, timestampSchema } from '#contract/model/common.ts'
import { deriveKey, KEY_BYTES, open, seal } from '#base/aead.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { readRecoveryCode } from './recovery-code.ts'
import { keyCheck, sealKeyOf } from './vault-keys.ts'

const SALT_BYTES = 16

/**
 * These Argon2 parameters are stored with the wrapped key, so that the defaults can change. The upper bounds limit the memory
 * and time that a damaged file can cost.
 */
const stretchingSchema = z.strictObject({
  algorithm: z.literal('argon2id'),
  memory_kib: z.int().min(19_456).max(1_048_576),
  passes: z.int().min(2).max(20),
  lanes: z.int().min(1).max(8),
})
type Stretching = z.infer<typeof stretchingSchema>

export const currentStretching: Stretching = { algorithm: 'argon2id', memory_kib: 65_536, passes: 3, lanes: 1 }

const base64Schema = z.base64().max(200)
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/)

const fields = {
  state: z.enum(['creating', 'made']),
  profile_id: idSchema,
  created_at: timestampSchema,
  protection: protectionSchema,
  key_check: hashSchema,
  passphrase: z.strictObject({ stretching: stretchingSchema, salt: base64Schema, wrapped: base64Schema }).nullable(),
  recovery: z.strictObject({ wrapped: base64Schema }),
}
const format = z.literal('afterword-vault')
const NEWEST = 2

/**
 * An envelope holds the data key, wrapped once with the recovery code and, if there is a passphrase, once with the passphrase.
 * The envelope is not secret.
 */
const bodySchema = z.strictObject({
  format,
  version: z.literal(NEWEST),
  ...fields,
  generation: z.int().min(0),
  /**
   * HMAC, so that the `generation` of an old envelope cannot be raised. Null before sealing and in an envelope from a version 1
   * file.
   */
  seal: hashSchema.nullable(),
})

const fileSchema = bodySchema.extend({ checksum: hashSchema, seal: hashSchema })
const firstBodySchema = z.strictObject({ format, version: z.literal(1), ...fields })
const firstFileSchema = firstBodySchema.extend({ checksum: hashSchema })
const newerSchema = z.object({ format, version: z.int().min(NEWEST + 1) })
export type Envelope = z.infer<typeof bodySchema>

/** `parse` puts the fields in schema order, which makes the checksum deterministic. */
export function writeEnvelope(envelope: Envelope): string {
  const body = bodySchema.parse(envelope)
  return `${JSON.stringify({ ...body, checksum: checksumOf(body) }, null, 2)}\n`
}

export function readEnvelope(text: string): Envelope | 'newer' | 'damaged' {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'damaged'
  }
  const parsed = z.union([fileSchema, firstFileSchema]).safeParse(json)
  if (!parsed.success) return newerSchema.safeParse(json).success ? 'newer' : 'damaged'
  const { checksum, ...body } = parsed.data
  if (checksumOf(body) !== checksum) return 'damaged'
  return body.version === NEWEST ? body : { ...body, version: NEWEST, generation: 0, seal: null }
}

export function sealEnvelope(envelope: Envelope, sealKey: Uint8Array): Envelope {
  return { ...envelope, seal: sealOf(envelope, sealKey) }
}

export function isSealedBy(envelope: Envelope, sealKey: Uint8Array): boolean {
  if (envelope.seal === null) return false
  return timingSafeEqual(Buffer.from(envelope.seal), Buffer.from(sealOf(envelope, sealKey)))
}

function sealOf(envelope: Envelope, sealKey: Uint8Array): string {
  const { state: _, seal: __, ...sealed } = bodySchema.parse(envelope)
  return createHmac('sha256', sealKey).update(JSON.stringify(sealed)).digest('hex')
}

export function isSameProfile(one: Envelope, other: Envelope): boolean {
  return one.profile_id === other.profile_id && one.key_check === other.key_check
}

function checksumOf(body: Envelope | z.infer<typeof firstBodySchema>): string {
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

async function unwrapWithPassphrase(envelope: Envelope, passphrase: string): Promise<Buffer | null> {
  if (envelope.passphrase === null) return null
  const { salt, stretching, wrapped } = envelope.passphrase
  const key = await stretch(passphrase, Buffer.from(salt, 'base64'), stretching)
  return openWith(key, wrapped, envelope.profile_id, 'passphrase')
}

export function wrapWithRecovery(dataKey: Uint8Array, secret: Uint8Array, profileId: string): Envelope['recovery'] {
  return { wrapped: sealWith(recoveryKey(secret), dataKey, profileId, 'recovery') }
}

function unwrapWithRecovery(envelope: Envelope, secret: Uint8Array): Buffer | null {
  return openWith(recoveryKey(secret), envelope.recovery.wrapped, envelope.profile_id, 'recovery')
}

/** Argon2 is not needed, because the recovery code has 160 random bits. */
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

interface NewProfile {
  profileId: string
  protection: Protection
  passphrase: string | null
  dataKey: Buffer
  recoverySecret: Buffer
}

export async function makeEnvelope(clock: Clock, profile: NewProfile): Promise<Envelope> {
  const { profileId, protection, passphrase, dataKey, recoverySecret } = profile
  const unsealed: Envelope = {
    format: 'afterword-vault',
    version: 2,
    state: 'creating',
    profile_id: profileId,
    created_at: timestamp(clock),
    protection,
    key_check: keyCheck(dataKey),
    passphrase: passphrase === null ? null : await wrapWithPassphrase(dataKey, passphrase, currentStretching, profileId),
    recovery: wrapWithRecovery(dataKey, recoverySecret, profileId),
    generation: 1,
    seal: null,
  }
  const envelope = sealEnvelope(unsealed, sealKeyOf(dataKey))
  prove(dataKey, unwrapWithRecovery(envelope, recoverySecret))
  if (passphrase !== null) prove(dataKey, await unwrapWithPassphrase(envelope, passphrase))
  return envelope
}

export async function keyByPassphrase(envelope: Envelope, passphrase: string): Promise<Buffer> {
  const key = await unwrapWithPassphrase(envelope, passphrase)
  if (key === null) throw new AppError('wrong-passphrase')
  return key
}

export function keyByRecoveryCode(envelope: Envelope, code: string): Buffer {
  const secret = readRecoveryCode(code)
  const key = unwrapWithRecovery(envelope, secret)
  secret.fill(0)
  if (key === null) throw new AppError('wrong-recovery-code')
  return key
}

function prove(dataKey: Buffer, unwrapped: Buffer | null): void {
  if (unwrapped === null || !timingSafeEqual(dataKey, unwrapped)) throw new Error('a wrapped key did not come back')
  unwrapped.fill(0)
}

const ARGON2ID = 2

export function checkPassphrase(passphrase: string): void {
  if ([...passphrase].length < MIN_PASSPHRASE_CHARACTERS) throw new AppError('passphrase-too-short')
}

/** Argon2id (RFC 9106). NFKC makes the result independent of how a keyboard composes characters. */
async function stretch(passphrase: string, salt: Uint8Array, stretching: Stretching): Promise<Buffer> {
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
