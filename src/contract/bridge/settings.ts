import { z } from 'zod'
import { idSchema, languageSchema, lineSchema } from '../model/common.ts'
import { templateSchema } from '../model/template.ts'
import { method, nothing } from './method.ts'

const addressSchema = z.url({ protocol: /^https?$/ }).max(500)

export const settingsSchema = z.object({
  therapist_id: idSchema,
  therapist_name: lineSchema,
  therapist_credential: lineSchema.nullable(),
  practice_name: lineSchema.nullable(),
  /** What transcribes. `local`: models on this laptop; `server`: OpenAI-compatible; `none`: transcripts are imported or typed. */
  speech_engine: z.enum(['local', 'server', 'none']),
  /** Base address of an OpenAI-compatible server, ending in `/v1`. */
  speech_address: addressSchema.nullable(),
  speech_model: lineSchema.nullable(),
  speech_has_key: z.boolean(),
  language: languageSchema,
  /** Reduces noise before local speech recognition, if a model for it is installed. */
  reduce_noise: z.boolean(),
  /** Replaces scheme and host of all model downloads; the paths stay the same. Null: the original hosts. */
  model_mirror: addressSchema.nullable(),
  /** What writes drafts. `rules`: no AI; `server`: OpenAI-compatible; `model`: a file on this laptop. */
  language_engine: z.enum(['rules', 'server', 'model']),
  /** Base address of an OpenAI-compatible server, ending in `/v1`. */
  language_address: addressSchema.nullable(),
  language_model: lineSchema.nullable(),
  language_has_key: z.boolean(),
  language_file: lineSchema.nullable(),
  /** Context window in tokens; null: the model's default. */
  language_context_tokens: z.int().min(1024).max(2_000_000).nullable(),
  /** Base address of a practice service; null: the embedded one. */
  service_address: addressSchema.nullable(),
  service_has_key: z.boolean(),
  /** Limit for uploads of recordings in kilobytes per second; null: no limit. */
  upload_limit: z.int().min(16).max(100_000).nullable(),
  upload_on_metered: z.boolean(),
  /** True treats every network as metered, whatever the system reports. */
  network_metered: z.boolean(),
  default_template: templateSchema,
  transcribe_when_finished: z.boolean(),
  /** Minutes without keyboard or pointer input until the records lock; 0: never. */
  idle_lock_minutes: z.int().min(0).max(240),
  hide_names: z.boolean(),
  /** Leaves the window out of screenshots and screen sharing. Works in Electron on macOS and Windows only. */
  hide_from_capture: z.boolean(),
  theme: z.enum(['system', 'light', 'dark']),
  single_key_shortcuts: z.boolean(),
  microphone_id: z.string().max(500).nullable(),
  /** Checks for updates once a day. Off by default, because nothing leaves the laptop unless the user asked for it. */
  updates_check: z.boolean(),
  /** Address of another update feed; null: the one set in the build. */
  updates_mirror: addressSchema.nullable(),
})

export const settingsPatchSchema = settingsSchema
  .omit({ therapist_id: true, speech_has_key: true, language_has_key: true, service_has_key: true })
  .partial()

export const settingsMethods = {
  'settings.get': method(nothing, settingsSchema),
  'settings.update': method(settingsPatchSchema, settingsSchema),
  /** Stores a key in the system keychain only; null removes it. Fails with `keychain-unavailable` without a keychain. */
  'settings.setKey': method(
    z.object({ which: z.enum(['speech', 'language', 'service']), key: z.string().min(1).max(2000).nullable() }),
    settingsSchema,
  ),
  'settings.signIn': method(nothing, z.object({ address: z.url({ protocol: /^https?$/ }) })),
  /** Answers when the user has signed in in the browser. The tokens go to the keychain. */
  'settings.finishSignIn': method(nothing, settingsSchema),
  /** Checks that the speech server answers and lists its models. Never sends sound. */
  'settings.testSpeech': method(
    nothing,
    z.object({ ready: z.boolean(), hint: z.string().nullable(), models: z.array(z.string()) }),
  ),
  /** Whether the current network is metered; null: the system doesn't report it. */
  'settings.network': method(nothing, z.object({ metered: z.boolean().nullable() })),
  /**
   * Model files for drafts on this laptop, and whether the program that runs them is installed. The packaged app doesn't offer
   * them: `offered` is false and no file is listed.
   */
  'settings.draftModels': method(
    nothing,
    z.object({
      offered: z.boolean(),
      installed: z.boolean(),
      folder: z.string(),
      files: z.array(z.object({ name: z.string(), bytes: z.int() })),
    }),
  ),
  /** Checks the model server and lists its models. Never sends session content. */
  'settings.testLanguage': method(
    nothing,
    z.object({ ready: z.boolean(), hint: z.string().nullable(), models: z.array(z.string()) }),
  ),
} as const

export type Settings = z.infer<typeof settingsSchema>
export type SettingsPatch = z.infer<typeof settingsPatchSchema>
