import { z } from 'zod'
import { idSchema, languageSchema, lineSchema, MAX_PARAGRAPH } from '../model/common.ts'
import { npiSchema } from '../model/staff.ts'
import { templateSchema } from '../model/template.ts'
import { method, nothing } from './method.ts'

/** BCP 47. */
const localeSchema = z.string().max(100).refine(isLocale, 'a locale such as en-US')

/** A phrase of the therapist's own, typed as a slash and its name. */
const snippetSchema = z.object({
  name: z
    .string()
    .max(40)
    .regex(/^[^\s/]+$/),
  text: z.string().trim().min(1).max(MAX_PARAGRAPH),
})

const addressSchema = z.url({ protocol: /^https?$/ }).max(500)

export const settingsSchema = z.object({
  therapist_id: idSchema,
  therapist_name: lineSchema,
  therapist_credential: lineSchema.nullable(),
  therapist_license: lineSchema.nullable(),
  /** Where the license holds, as typed: `Oregon` or `OR`. */
  therapist_license_state: lineSchema.nullable(),
  therapist_npi: npiSchema.nullable(),
  supervisor_name: lineSchema.nullable(),
  /** Credential and license number, as typed. */
  supervisor_license: lineSchema.nullable(),
  practice_name: lineSchema.nullable(),
  practice_address: lineSchema.nullable(),
  practice_phone: lineSchema.nullable(),
  practice_npi: npiSchema.nullable(),
  /** `local`: models on this computer. `server`: an OpenAI-compatible server. `none`: transcripts are imported or typed. */
  speech_engine: z.enum(['local', 'server', 'none']),
  speech_address: addressSchema.nullable(),
  speech_model: lineSchema.nullable(),
  speech_has_key: z.boolean(),
  language: languageSchema,
  reduce_noise: z.boolean(),
  model_mirror: addressSchema.nullable(),
  /** `rules`: no AI. `server`: an OpenAI-compatible server. `model`: a model file on this computer. */
  language_engine: z.enum(['rules', 'server', 'model']),
  language_address: addressSchema.nullable(),
  language_model: lineSchema.nullable(),
  language_has_key: z.boolean(),
  language_file: lineSchema.nullable(),
  language_context_tokens: z.int().min(1024).max(2_000_000).nullable(),
  service_address: addressSchema.nullable(),
  service_has_key: z.boolean(),
  /** Kilobytes per second; null: no limit. */
  upload_limit: z.int().min(16).max(100_000).nullable(),
  upload_on_metered: z.boolean(),
  network_metered: z.boolean(),
  default_template: templateSchema,
  transcribe_when_finished: z.boolean(),
  /** Minutes without user input before the records lock; 0: they don't lock when idle. */
  idle_lock_minutes: z.int().min(0).max(240),
  hide_names: z.boolean(),
  /** Hides the window from screenshots and screen sharing, in Electron on macOS and Windows. */
  hide_from_capture: z.boolean(),
  /** In Electron: a notification, without names, when a transcript, draft or insights are ready. */
  notify_when_ready: z.boolean(),
  /** Of dates, times, numbers, weeks and paper; null: the system's. */
  locale: localeSchema.nullable(),
  theme: z.enum(['system', 'light', 'dark']),
  single_key_shortcuts: z.boolean(),
  microphone_id: z.string().max(500).nullable(),
  /** Checks for updates daily. Off by default, so that Afterword contacts no server unless the user wants it. */
  updates_check: z.boolean(),
  updates_mirror: addressSchema.nullable(),
  snippets: z.array(snippetSchema).max(200),
})

export const settingsPatchSchema = settingsSchema
  .omit({ therapist_id: true, speech_has_key: true, language_has_key: true, service_has_key: true })
  .partial()

const serverTestSchema = z.object({ ready: z.boolean(), hint: z.string().nullable(), models: z.array(z.string()) })

export const settingsMethods = {
  'settings.get': method(nothing, settingsSchema),
  'settings.update': method(settingsPatchSchema, settingsSchema),
  'settings.setKey': method(
    z.object({ which: z.enum(['speech', 'language', 'service']), key: z.string().min(1).max(2000).nullable() }),
    settingsSchema,
  ),
  'settings.signIn': method(nothing, z.object({ address: z.url({ protocol: /^https?$/ }) })),
  'settings.finishSignIn': method(nothing, settingsSchema),
  'settings.testSpeech': method(nothing, serverTestSchema),
  'settings.network': method(nothing, z.object({ metered: z.boolean().nullable() })),
  'settings.draftModels': method(
    nothing,
    z.object({
      offered: z.boolean(),
      installed: z.boolean(),
      folder: z.string(),
      files: z.array(z.object({ name: z.string(), bytes: z.int() })),
    }),
  ),
  'settings.testLanguage': method(nothing, serverTestSchema),
} as const

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

export type Settings = z.infer<typeof settingsSchema>
export type Snippet = z.infer<typeof snippetSchema>
export type SettingsPatch = z.infer<typeof settingsPatchSchema>
