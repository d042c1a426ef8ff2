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
  /** Who writes transcripts. `local`: the models on this laptop; `none`: nobody, they are brought in or typed. */
  speech_engine: z.enum(['local', 'server', 'none']),
  /** Base address of an OpenAI-compatible server, ending in `/v1`. */
  speech_address: addressSchema.nullable(),
  speech_model: lineSchema.nullable(),
  speech_has_key: z.boolean(),
  language: languageSchema,
  /** Before words are heard by the models on this laptop, where one for it is installed. */
  reduce_noise: z.boolean(),
  /** Stands in for the hosts that models come from; the paths are the same. Null: the sources themselves. */
  model_mirror: addressSchema.nullable(),
  /** What drafts are written with. `rules`: no AI; `server`: an OpenAI-compatible one; `model`: a file on this laptop. */
  language_engine: z.enum(['rules', 'server', 'model']),
  /** Base address of an OpenAI-compatible server, ending in `/v1`. */
  language_address: addressSchema.nullable(),
  language_model: lineSchema.nullable(),
  language_has_key: z.boolean(),
  /** Name of a file in the folder of models for drafts. */
  language_file: lineSchema.nullable(),
  /** Tokens the model reads and writes at once; null: as it says itself. */
  language_context_tokens: z.int().min(1024).max(2_000_000).nullable(),
  /** Base address of a practice's service; null: the embedded one. */
  service_address: addressSchema.nullable(),
  service_has_key: z.boolean(),
  /** Kilobytes of sound a second that are sent to a practice's service at most; null: as many as the line takes. */
  upload_limit: z.int().min(16).max(100_000).nullable(),
  /** Sound is sent over a network on which it costs, too. */
  upload_on_metered: z.boolean(),
  /** The network is to be taken for such a one, whatever the system says. */
  network_metered: z.boolean(),
  default_template: templateSchema,
  transcribe_when_finished: z.boolean(),
  /** Minutes without a key or pointer before the records lock; 0: never. */
  idle_lock_minutes: z.int().min(0).max(240),
  hide_names: z.boolean(),
  /** The window can't be seen in screenshots and screen sharing. Electron on macOS and Windows. */
  hide_from_capture: z.boolean(),
  theme: z.enum(['system', 'light', 'dark']),
  single_key_shortcuts: z.boolean(),
  microphone_id: z.string().max(500).nullable(),
  /** Check for a newer version once a day. Off by default: nothing leaves the laptop unless asked. */
  updates_check: z.boolean(),
  /** Feed to use instead of the one in the build; null: the build's own. */
  updates_mirror: addressSchema.nullable(),
})

export const settingsPatchSchema = settingsSchema
  .omit({ therapist_id: true, speech_has_key: true, language_has_key: true, service_has_key: true })
  .partial()

export const settingsMethods = {
  'settings.get': method(nothing, settingsSchema),
  'settings.update': method(settingsPatchSchema, settingsSchema),
  /** Keys go to the OS keychain alone; null removes one. Without a keychain: `keychain-unavailable`. */
  'settings.setKey': method(
    z.object({ which: z.enum(['speech', 'language', 'service']), key: z.string().min(1).max(2000).nullable() }),
    settingsSchema,
  ),
  /** Begins to sign in to the practice's service; the address is a page for the system's browser. */
  'settings.signIn': method(nothing, z.object({ address: z.url({ protocol: /^https?$/ }) })),
  /** Answers when the person is through in the browser; what was given for them goes to the keychain. */
  'settings.finishSignIn': method(nothing, settingsSchema),
  /** Asks the speech server whether it is there. Never sends sound. */
  'settings.testSpeech': method(
    nothing,
    z.object({ ready: z.boolean(), hint: z.string().nullable(), models: z.array(z.string()) }),
  ),
  /** Whether the network this laptop is on is metered; null: the system does not say. */
  'settings.network': method(nothing, z.object({ metered: z.boolean().nullable() })),
  /**
   * The models that can write drafts on this laptop: the files in the folder for them, and whether the library that runs
   * them is installed. The packaged app does not offer them, so there `offered` is false and no file is listed.
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
  /** Asks the model server whether it is there, and for its models. Never sends words of a session. */
  'settings.testLanguage': method(
    nothing,
    z.object({ ready: z.boolean(), hint: z.string().nullable(), models: z.array(z.string()) }),
  ),
} as const

export type Settings = z.infer<typeof settingsSchema>
export type SettingsPatch = z.infer<typeof settingsPatchSchema>
