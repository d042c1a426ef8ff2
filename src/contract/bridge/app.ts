import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

/** Why the records cannot be opened; each has a screen of its own. */
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

export const protectionSchema = z.enum(['keychain', 'passphrase'])

export const appStateSchema = z.object({
  phase: z.enum(['starting', 'first_run', 'locked', 'ready', 'trouble']),
  trouble: troubleSchema.nullable(),
  /** How the key to the records is kept; null before the first run is finished. */
  protection: protectionSchema.nullable(),
  keychain_available: z.boolean(),
  shell: z.enum(['electron', 'preview']),
  app_version: z.string(),
  /** Where the records are; a person is asked to put a file back there. */
  data_folder: z.string(),
  /** `process.platform`, for key names and wording. */
  platform: z.string(),
  /** A recording goes on while the records are locked. */
  recording_id: idSchema.nullable(),
})

const passphraseSchema = z.string().min(1).max(1000)

const unlockSchema = z.union([z.object({ passphrase: passphraseSchema }), z.object({ recovery_code: z.string().max(200) })])

/** What the microphone is opened for. */
const microphonePurposeSchema = z.discriminatedUnion('purpose', [
  z.object({ purpose: z.literal('recording'), session_id: idSchema }),
  z.object({ purpose: z.enum(['room-check', 'voice']) }),
])

export const appMethods = {
  'app.state': method(nothing, appStateSchema),
  /**
   * Called before every `getUserMedia`. For a recording the core checks everyone's consent; macOS asks its own question
   * here. In Electron the window may use the microphone for 30 s after an answer, and while a recording runs.
   */
  'app.openMicrophone': method(microphonePurposeSchema, nothing),
  /** Text of a record was put on the clipboard. Electron clears it after some seconds; a browser can't. */
  'app.copied': method(nothing, z.object({ cleared_after_s: z.int().nullable() })),
  /** Answers `app.closing` (edits are saved, every captured record was acknowledged) or `app.locking` (edits are saved). */
  'app.handedOver': method(z.object({ before: z.enum(['closing', 'locking']).default('closing') }), nothing),
  /** Answers `app.selfTest`. `failed` names the step that did not work, and why. */
  'app.selfTested': method(z.object({ failed: lineSchema.nullable() }), nothing),
  /** First run. The recovery code is shown once and never stored in plaintext. */
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
  /** Tries again after a keychain, disk or profile trouble was mended. */
  'vault.retry': method(nothing, nothing),
  'vault.lock': method(nothing, nothing),
  /** While the records are open. The proof is asked for all the same: whoever finds them open must not take them over. */
  'vault.changePassphrase': method(z.object({ proof: unlockSchema, passphrase: passphraseSchema }), nothing),
  /**
   * The code before it opens nothing any more. Without a proof only where the keychain holds the key: it opens the records
   * for whoever sits at this computer anyway. That is recorded apart, and stays in sight: `vault.recoveryCodeMade`.
   */
  'vault.newRecoveryCode': method(z.object({ proof: unlockSchema.nullable() }), z.object({ recovery_code: z.string() })),
  /** When the recovery code was last made anew, and whether a proof was given; null: it is still the first one. */
  'vault.recoveryCodeMade': method(nothing, z.object({ made_at: timestampSchema, is_proven: z.boolean() }).nullable()),
} as const

export type AppState = z.infer<typeof appStateSchema>
export type Trouble = z.infer<typeof troubleSchema>
export type Protection = z.infer<typeof protectionSchema>
