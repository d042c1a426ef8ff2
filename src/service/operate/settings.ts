import { z } from 'zod'
import { engineSettings } from './engine-settings.ts'
import { serverSettings } from './server-settings.ts'
import type { About } from './setting.ts'
import { aboutOf } from './setting.ts'
import { signInSettings } from './sign-in-settings.ts'

/** Everything the service alone can be told, by flag or by environment; the flag wins. */
const fields = { ...serverSettings, ...signInSettings, ...engineSettings } as const

export type SettingName = keyof typeof fields
export const settingNames = Object.keys(fields) as SettingName[]
export const aboutSetting = (name: SettingName): About => aboutOf(fields[name])

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')
/** Looked at whatever else is wrong, so that all mistakes are told at once. */
const always = { when: () => true }

/** The first says more about what the second sets up. */
const needs: readonly (readonly [SettingName, SettingName])[] = [
  ['speech_model', 'speech_address'],
  ['speech_key', 'speech_address'],
  ['speech_language', 'speech_address'],
  ['language_model', 'language_address'],
  ['language_key', 'language_address'],
  ['s3_endpoint', 's3_bucket'],
  ['s3_prefix', 's3_bucket'],
  ['payer_npi', 'payer_key'],
]

const base = z.object(fields)
type Given = Partial<z.infer<typeof base>>

export const settingsSchema = base
  .refine((given: Given) => (given.tls_certificate === undefined) === (given.tls_key === undefined), {
    ...always,
    path: ['tls_certificate'],
    message: 'a certificate and its private key are given together or not at all',
  })
  .refine(
    (given: Given) => isLoopback(given.host ?? '127.0.0.1') || given.tls_certificate !== undefined || given.behind_proxy === true,
    {
      ...always,
      path: ['host'],
      message:
        'is reached by other machines, so it needs TLS (--tls-certificate, --tls-key), or --behind-proxy where a proxy of yours speaks TLS',
    },
  )
  .refine((given: Given) => given.language_address === undefined || given.language_file === undefined, {
    ...always,
    path: ['language_file'],
    message: 'a model file and a server for drafts exclude each other',
  })
  .refine(
    (given: Given) => given.s3_bucket === undefined || (given.s3_access_key !== undefined && given.s3_secret_key !== undefined),
    { ...always, path: ['s3_bucket'], message: 'needs AFTERWORD_S3_ACCESS_KEY and AFTERWORD_S3_SECRET_KEY' },
  )
  .refine((given: Given) => (given.payer_npi === undefined) === (given.payer_organization === undefined), {
    ...always,
    path: ['payer_npi'],
    message: 'goes with AFTERWORD_PAYER_ORGANIZATION, both or neither',
  })

  .superRefine((given: Given, context) => {
    for (const [name, needed] of needs) {
      if (given[name] === undefined || given[needed] !== undefined) continue
      context.addIssue({ code: 'custom', path: [name], message: `does nothing without ${aboutSetting(needed).variable}` })
    }
  }, always)

export type Settings = z.infer<typeof settingsSchema>
