import { z } from 'zod'
import { resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LanguageSettings, SpeechSettings } from '#base/engine-settings.ts'
import help from './help.json' with { type: 'json' }
import { serverSettings, line, wholeNumber, webAddress } from './server-settings.ts'
import { issuersSchema } from '../oauth/issuer.ts'
import type { PayerSettings } from '../payer/port.ts'

interface About {
  readonly help: string
  /** Environment variable; by default `AFTERWORD_` and the name in upper case. */
  readonly variable?: string
  /** Placeholder of the value in the help. Settings with a placeholder and switches have a command-line flag. */
  readonly value?: string
  readonly isSwitch?: boolean
  /** A secret has no flag, because other users can read the process list. `<VARIABLE>_FILE` can name a file with the secret. */
  readonly isSecret?: boolean
}

const engineSettings = {
  speech_address: webAddress.optional(),
  speech_model: line.optional(),
  speech_key: line.optional(),
  speech_language: line.optional(),
  model_mirror: webAddress.optional(),
  language_address: webAddress.optional(),
  language_model: line.optional(),
  language_key: line.optional(),
  language_file: line.optional(),
  language_context: wholeNumber(1024, 2_000_000).optional(),
  s3_bucket: line.optional(),
  s3_endpoint: webAddress.optional(),
  s3_region: line.default('us-east-1'),
  s3_prefix: line.optional(),
  s3_access_key: line.optional(),
  s3_secret_key: line.optional(),
  upload_limit: wholeNumber(1, 100_000).default(1024),
  payer_key: line.optional(),
  payer_address: webAddress.default('https://healthcare.us.stedi.com/2024-04-01'),
  payer_npi: z
    .string()
    .regex(/^\d{10}$/, 'must be the ten digits of an NPI')
    .optional(),
  payer_organization: line.optional(),
} as const

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' })
    return z.NEVER
  }
})

const fields = { ...serverSettings, oauth_issuers: json.pipe(issuersSchema).optional(), ...engineSettings } as const

export type SettingName = keyof typeof fields
export const settingNames = Object.keys(fields) as SettingName[]
const about: Readonly<Record<SettingName, About>> = help.settings

export function aboutSetting(name: SettingName) {
  const { variable = `AFTERWORD_${name.toUpperCase()}`, isSwitch = false, ...rest } = about[name]
  const flag = isSwitch || rest.value !== undefined ? name.replaceAll('_', '-') : undefined
  return { ...rest, variable, flag }
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')
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

const checks: readonly (readonly [SettingName, string, (given: Given) => boolean])[] = [
  [
    'tls_certificate',
    'a certificate and its private key are given together or not at all',
    (given) => (given.tls_certificate === undefined) === (given.tls_key === undefined),
  ],
  [
    'host',
    'is reached by other machines, so it needs TLS (--tls-certificate, --tls-key), or --behind-proxy where a proxy of yours speaks TLS',
    (given) => isLoopback(given.host ?? '127.0.0.1') || given.tls_certificate !== undefined || given.behind_proxy === true,
  ],
  [
    'language_file',
    'a model file and a server for drafts exclude each other',
    (given) => given.language_address === undefined || given.language_file === undefined,
  ],
  [
    's3_bucket',
    'needs AFTERWORD_S3_ACCESS_KEY and AFTERWORD_S3_SECRET_KEY',
    (given) => given.s3_bucket === undefined || (given.s3_access_key !== undefined && given.s3_secret_key !== undefined),
  ],
  [
    'payer_npi',
    'goes with AFTERWORD_PAYER_ORGANIZATION, both or neither',
    (given) => (given.payer_npi === undefined) === (given.payer_organization === undefined),
  ],
  ...needs.map(
    ([name, needed]) =>
      [
        name,
        `does nothing without ${aboutSetting(needed).variable}`,
        (given: Given) => given[name] === undefined || given[needed] !== undefined,
      ] as const,
  ),
]

/** The checks run even after other errors, so that all mistakes are reported at once. */
export const settingsSchema = base.superRefine(
  (given: Given, context) => {
    for (const [name, message, isRight] of checks)
      if (!isRight(given)) context.addIssue({ code: 'custom', path: [name], message })
  },
  { when: () => true },
)

export type Settings = z.infer<typeof settingsSchema>

export function speechOf(settings: Settings): SpeechSettings | null {
  const { speech_address: address, speech_model, speech_key, speech_language } = settings
  if (address === undefined) return null
  return { address, model: speech_model ?? null, key: speech_key ?? null, language: speech_language ?? null }
}

export function languageOf(settings: Settings): LanguageSettings {
  const { language_address: address, language_model: model = null, language_key: key = null, language_file: file } = settings
  const context_tokens = settings.language_context ?? null
  if (address !== undefined) return { kind: 'server', address, model, key, context_tokens }
  return file === undefined ? { kind: 'rules' } : { kind: 'model', file: resolve(file), home: llamaHome(), context_tokens }
}

function llamaHome(): string {
  const up = import.meta.dirname.endsWith('operate') ? ['..', '..', '..'] : ['..', '..']
  return resolve(import.meta.dirname, ...up, 'tools', 'llama')
}

export function payerOf({
  payer_key: key,
  payer_address: address,
  payer_npi,
  payer_organization,
}: Settings): PayerSettings | null {
  if (key === undefined) return null
  const isWhole = payer_npi !== undefined && payer_organization !== undefined
  return { kind: 'stedi', address, key, provider: isWhole ? { npi: payer_npi, organization_name: payer_organization } : null }
}

/** The `resources` folder is three folders up from the source, two from the build. */
export function resources(): string {
  const here = fileURLToPath(new URL('../../resources', import.meta.url))
  return existsSync(here) ? here : fileURLToPath(new URL('../../../resources', import.meta.url))
}
