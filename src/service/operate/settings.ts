import { z } from 'zod'
import { resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LanguageSettings, SpeechSettings } from '#base/engine-settings.ts'
import { serverSettings, type About, aboutOf, setting, line, wholeNumber, webAddress } from './server-settings.ts'
import { issuersSchema } from '../oauth/issuer.ts'
import type { PayerSettings } from '../payer/port.ts'

const engineSettings = {
  speech_address: setting(webAddress.optional(), {
    variable: 'AFTERWORD_SPEECH_ADDRESS',
    help: 'server for transcription that speaks the OpenAI API',
  }),
  speech_model: setting(line.optional(), { variable: 'AFTERWORD_SPEECH_MODEL', help: 'model it is asked for' }),
  speech_key: setting(line.optional(), { variable: 'AFTERWORD_SPEECH_KEY', isSecret: true, help: 'key it asks for' }),
  speech_language: setting(line.optional(), {
    variable: 'AFTERWORD_SPEECH_LANGUAGE',
    help: 'language of the sessions (en, de, ...)',
  }),
  model_mirror: setting(webAddress.optional(), {
    flag: 'model-mirror',
    variable: 'AFTERWORD_MODEL_MIRROR',
    value: 'ADDRESS',
    help: 'your own mirror that `models install` downloads from, in place of the sources the catalogue names',
  }),
  language_address: setting(webAddress.optional(), {
    variable: 'AFTERWORD_LANGUAGE_ADDRESS',
    help: 'server for drafts that speaks the OpenAI chat API; without one they are put together by rules',
  }),
  language_model: setting(line.optional(), { variable: 'AFTERWORD_LANGUAGE_MODEL', help: 'model it is asked for' }),
  language_key: setting(line.optional(), { variable: 'AFTERWORD_LANGUAGE_KEY', isSecret: true, help: 'key it asks for' }),
  language_file: setting(line.optional(), {
    variable: 'AFTERWORD_LANGUAGE_FILE',
    help: 'a GGUF model for drafts on this machine, in place of a server',
  }),
  language_context: setting(wholeNumber(1024, 2_000_000).optional(), {
    variable: 'AFTERWORD_LANGUAGE_CONTEXT',
    help: 'tokens the model takes at once',
  }),
  s3_bucket: setting(line.optional(), {
    variable: 'AFTERWORD_S3_BUCKET',
    help: 'bucket of an S3-compatible store for audio that was sent, sealed; folder blobs in DIR without one',
  }),
  s3_endpoint: setting(webAddress.optional(), {
    variable: 'AFTERWORD_S3_ENDPOINT',
    help: 'address of that store; Amazon’s own without one',
  }),
  s3_region: setting(line.default('us-east-1'), { variable: 'AFTERWORD_S3_REGION', help: 'its region (us-east-1)' }),
  s3_prefix: setting(line.optional(), {
    variable: 'AFTERWORD_S3_PREFIX',
    help: 'before each name in the bucket, e.g. afterword/',
  }),
  s3_access_key: setting(line.optional(), { variable: 'AFTERWORD_S3_ACCESS_KEY', isSecret: true, help: 'access key id' }),
  s3_secret_key: setting(line.optional(), { variable: 'AFTERWORD_S3_SECRET_KEY', isSecret: true, help: 'secret access key' }),
  upload_limit: setting(wholeNumber(1, 100_000).default(1024), {
    variable: 'AFTERWORD_UPLOAD_LIMIT',
    help: 'largest upload of audio, in MiB (1024)',
  }),
  payer_key: setting(line.optional(), {
    variable: 'AFTERWORD_PAYER_KEY',
    isSecret: true,
    help: 'key of the gateway that asks payers about coverage; without one the sandbox alone answers, for test keys',
  }),
  payer_address: setting(webAddress.default('https://healthcare.us.stedi.com/2024-04-01'), {
    variable: 'AFTERWORD_PAYER_ADDRESS',
    help: 'its address (Stedi’s own), for any gateway that speaks as Stedi does',
  }),
  payer_npi: setting(
    z
      .string()
      .regex(/^\d{10}$/, 'must be the ten digits of an NPI')
      .optional(),
    {
      variable: 'AFTERWORD_PAYER_NPI',
      help: 'NPI of who asks, where a call does not say',
    },
  ),
  payer_organization: setting(line.optional(), {
    variable: 'AFTERWORD_PAYER_ORGANIZATION',
    help: 'name of who asks, to go with that NPI',
  }),
} as const

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' })
    return z.NEVER
  }
})

const signInSettings = {
  oauth_issuers: setting(json.pipe(issuersSchema).optional(), {
    variable: 'AFTERWORD_OAUTH_ISSUERS',
    isSecret: true,
    help: 'JSON list of OAuth 2.0 issuers whose access tokens are taken: [{"issuer":"https://...","audience":"..."}]; see docs/operating.md',
  }),
} as const

const fields = { ...serverSettings, ...signInSettings, ...engineSettings } as const

export type SettingName = keyof typeof fields
export const settingNames = Object.keys(fields) as SettingName[]
export const aboutSetting = (name: SettingName): About => aboutOf(fields[name])

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')
/** Run these checks even after other errors, so that all mistakes are reported at once. */
const always = { when: () => true }

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

/** Three folders up from source, two from the build. */
export function resources(): string {
  const here = fileURLToPath(new URL('../../resources', import.meta.url))
  return existsSync(here) ? here : fileURLToPath(new URL('../../../resources', import.meta.url))
}
