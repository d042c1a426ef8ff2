import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

export const troubleSchema = z.enum([
  'keychain-locked',
  'keychain-unavailable',
  'key-gone',
  'keys-missing',
  'keys-mismatch',
  'database-damaged',
  'database-newer',
  'database-mismatch',
  'not-encrypted',
  'profile-in-use',
  'disk-full',
  'disk-failed',
])

export const MIN_PASSPHRASE_CHARACTERS = 12

export const protectionSchema = z.enum(['keychain', 'passphrase'])

export const appStateSchema = z.object({
  phase: z.enum(['starting', 'first_run', 'locked', 'ready', 'trouble']),
  trouble: troubleSchema.nullable(),
  protection: protectionSchema.nullable(),
  keychain_available: z.boolean(),
  /** True if the newest key file may be missing or unreadable. An earlier passphrase or recovery code may then be valid. */
  keys_may_be_older: z.boolean(),
  unopened_files: z.array(z.object({ name: z.string(), is_zip: z.boolean() })),
  shell: z.enum(['electron', 'preview']),
  app_version: z.string(),
  data_folder: z.string(),
  platform: z.string(),
  /** Of the system's formats, which may differ from its language. */
  system_locale: z.string(),
  recording_id: idSchema.nullable(),
})

const passphraseSchema = z.string().min(1).max(1000)

const unlockSchema = z.union([z.object({ passphrase: passphraseSchema }), z.object({ recovery_code: z.string().max(200) })])

const microphonePurposeSchema = z.discriminatedUnion('purpose', [
  z.object({ purpose: z.literal('recording'), session_id: idSchema }),
  z.object({ purpose: z.enum(['room-check', 'voice', 'dictation']) }),
])

export const appMethods = {
  'app.state': method(nothing, appStateSchema),
  /** Fails if the window may not open the microphone. For a recording, everyone present must have consented. */
  'app.openMicrophone': method(microphonePurposeSchema, nothing),
  'app.copied': method(nothing, z.object({ cleared_after_s: z.int().nullable() })),
  /** The window's reply to the `app.closing` or `app.locking` event. */
  'app.handedOver': method(z.object({ before: z.enum(['closing', 'locking']).default('closing') }), nothing),
  'app.selfTested': method(z.object({ failed: lineSchema.nullable() }), nothing),
  'vault.create': method(
    z.object({
      protection: protectionSchema,
      passphrase: passphraseSchema.optional(),
      therapist_name: lineSchema.min(1),
      therapist_credential: lineSchema.nullable(),
    }),
    z.object({ recovery_code: z.string() }),
  ),
  'vault.unlock': method(unlockSchema, nothing),
  'vault.retry': method(nothing, nothing),
  'vault.lock': method(nothing, nothing),
  'vault.changePassphrase': method(z.object({ proof: unlockSchema, passphrase: passphraseSchema }), nothing),
  'vault.newRecoveryCode': method(z.object({ proof: unlockSchema.nullable() }), z.object({ recovery_code: z.string() })),
  'vault.recoveryCodeMade': method(nothing, z.object({ made_at: timestampSchema, is_proven: z.boolean() }).nullable()),
} as const

export type AppState = z.infer<typeof appStateSchema>
export type Trouble = z.infer<typeof troubleSchema>
export type Protection = z.infer<typeof protectionSchema>
