import { z } from 'zod'

/** How one setting is given and what `--help` says of it. */
interface About {
  /** `--flag VALUE`; none for secrets, which other users of the machine could read in the list of processes. */
  readonly flag?: string
  readonly variable: string
  /** Shown after the flag; a flag without one is a switch. */
  readonly value?: string
  readonly help: string
  /** May also be given as `<VARIABLE>_FILE`, the path of a file that holds it. */
  readonly isSecret?: true
}

export const about = z.registry<About>()

function setting<Schema extends z.ZodType>(schema: Schema, meaning: About): Schema {
  about.add(schema, meaning)
  return schema
}

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.int().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`))
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
const line = z.string().min(1, 'must not be empty')
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)
const onOff = z.stringbool({ truthy: ['1', 'true', 'yes'], falsy: ['0', 'false', 'no'], error: 'must be 1 or 0' })

/** Everything the service alone can be told, by flag or by environment; the flag wins. */
const fields = {
  data: setting(z.string('is missing: the folder to keep the data in').min(1, 'must not be empty'), {
    flag: 'data',
    variable: 'AFTERWORD_DATA',
    value: 'DIR',
    help: 'folder of the data; made where it is not there',
  }),
  port: setting(wholeNumber(0, 65_535).default(8080), {
    flag: 'port',
    variable: 'PORT',
    value: 'N',
    help: 'port to listen on; 0 takes a free one (8080)',
  }),
  host: setting(line.default('127.0.0.1'), {
    flag: 'host',
    variable: 'AFTERWORD_HOST',
    value: 'ADDRESS',
    help: 'address to listen on (127.0.0.1); any that is not this machine alone needs TLS or --behind-proxy',
  }),
  behind_proxy: setting(onOff.default(false), {
    flag: 'behind-proxy',
    variable: 'AFTERWORD_BEHIND_PROXY',
    help: 'a proxy of yours in front of it speaks TLS; plain HTTP is then taken on any address',
  }),
  tls_certificate: setting(line.optional(), {
    flag: 'tls-certificate',
    variable: 'AFTERWORD_TLS_CERTIFICATE',
    value: 'FILE',
    help: 'certificate chain (PEM); read again on SIGHUP',
  }),
  tls_key: setting(line.optional(), {
    flag: 'tls-key',
    variable: 'AFTERWORD_TLS_KEY',
    value: 'FILE',
    help: 'its private key (PEM); read again on SIGHUP',
  }),
  database_url: setting(
    z.url({ protocol: /^postgres(ql)?$/, error: 'must be an address that begins with postgres://' }).optional(),
    {
      variable: 'DATABASE_URL',
      isSecret: true,
      help: 'PostgreSQL to keep the records in (postgres://user:password@host/database); SQLite in DIR without it',
    },
  ),
  key_file: setting(line.optional(), {
    variable: 'AFTERWORD_SERVICE_KEY_FILE',
    help: 'file with the key of the data, 64 hexadecimal digits; by default the system keychain, else DIR.key beside the data',
  }),
  key_store: setting(oneOf(['auto', 'keychain', 'file']).default('auto'), {
    flag: 'key-store',
    variable: 'AFTERWORD_SERVICE_KEY_STORE',
    value: 'WHERE',
    help: 'where the key of a new store goes without such a file: auto, keychain, file (auto)',
  }),
  plan: setting(oneOf(['free', 'professional', 'enterprise']).default('free'), {
    flag: 'plan',
    variable: 'AFTERWORD_PLAN',
    value: 'PLAN',
    help: 'free, professional or enterprise: 100, 10,000 or any number of calls a day (free)',
  }),
  consent: setting(oneOf(['asserted', 'enforced']).default('asserted'), {
    flag: 'consent',
    variable: 'AFTERWORD_CONSENT',
    value: 'POLICY',
    help: 'asserted: calling asserts consent, which is audited; enforced: consents are looked up here (asserted)',
  }),
  log_level: setting(oneOf(['info', 'warn', 'error', 'off']).default('info'), {
    flag: 'log-level',
    variable: 'AFTERWORD_LOG_LEVEL',
    value: 'LEVEL',
    help: 'info (every call), warn, error, off; JSON lines on standard error (info)',
  }),
  metrics_token: setting(z.string().min(16, 'must have at least 16 characters').optional(), {
    variable: 'AFTERWORD_METRICS_TOKEN',
    isSecret: true,
    help: 'bearer token for /metrics; without one only this machine may read them',
  }),
  drain_delay: setting(wholeNumber(0, 600).default(0), {
    flag: 'drain-delay',
    variable: 'AFTERWORD_DRAIN_DELAY',
    value: 'SECONDS',
    help: 'on SIGTERM, how long /readyz says no before connections are refused (0)',
  }),
  drain_limit: setting(wholeNumber(1, 3600).default(60), {
    flag: 'drain-limit',
    variable: 'AFTERWORD_DRAIN_LIMIT',
    value: 'SECONDS',
    help: 'then, how long calls under way may take to be answered (60)',
  }),
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
} as const

export type SettingName = keyof typeof fields
export const settingNames = Object.keys(fields) as SettingName[]
export const aboutSetting = (name: SettingName): About => about.get(fields[name])!

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')
/** Looked at whatever else is wrong, so that all mistakes are told at once. */
const always = { when: () => true }

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

export type Settings = z.infer<typeof settingsSchema>
