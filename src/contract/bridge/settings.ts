import { z } from 'zod'
import { idSchema, languageSchema, lineSchema } from '../model/common.ts'
import { templateSchema } from '../model/note.ts'
import { method, nothing } from './method.ts'

const addressSchema = z.url({ protocol: /^https?$/ }).max(500)

export const settingsSchema = z.object({
  therapist_id: idSchema,
  therapist_name: lineSchema,
  therapist_credential: lineSchema.nullable(),
  practice_name: lineSchema.nullable(),
  /** Base address of an OpenAI-compatible server, ending in `/v1`; null: no speech engine. */
  speech_address: addressSchema.nullable(),
  speech_model: lineSchema.nullable(),
  speech_has_key: z.boolean(),
  language: languageSchema,
  /** Base address of a practice's service; null: the embedded one. */
  service_address: addressSchema.nullable(),
  service_has_key: z.boolean(),
  default_template: templateSchema,
  transcribe_when_finished: z.boolean(),
  /** Minutes without a key or pointer before the records lock; 0: never. */
  idle_lock_minutes: z.int().min(0).max(240),
  hide_names: z.boolean(),
  theme: z.enum(['system', 'light', 'dark']),
  single_key_shortcuts: z.boolean(),
  microphone_id: z.string().max(500).nullable(),
})

export const settingsPatchSchema = settingsSchema
  .omit({ therapist_id: true, speech_has_key: true, service_has_key: true })
  .partial()

export const settingsMethods = {
  'settings.get': method(nothing, settingsSchema),
  'settings.update': method(settingsPatchSchema, settingsSchema),
  /** Keys go to the OS keychain alone; null removes one. Without a keychain: `keychain-unavailable`. */
  'settings.setKey': method(
    z.object({ which: z.enum(['speech', 'service']), key: z.string().min(1).max(2000).nullable() }),
    settingsSchema,
  ),
  /** Asks the speech server whether it is there. Never sends sound. */
  'settings.testSpeech': method(
    nothing,
    z.object({ ready: z.boolean(), hint: z.string().nullable(), models: z.array(z.string()) }),
  ),
} as const

export type Settings = z.infer<typeof settingsSchema>
export type SettingsPatch = z.infer<typeof settingsPatchSchema>
