import { z } from 'zod'
import { idSchema } from '#contract/model/common.ts'

export interface About {
  /** Name after `--`. Secrets have no flag, because other users can read the process list. */
  readonly flag?: string
  readonly variable: string
  readonly value?: string
  readonly help: string
  /** Also accepted as `<VARIABLE>_FILE`, the path of a file that holds the secret. */
  readonly isSecret?: true
}

const about = z.registry<About>()

export function setting<Schema extends z.ZodType>(schema: Schema, meaning: About): Schema {
  about.add(schema, meaning)
  return schema
}

export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.int().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`))
export const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
export const line = z.string().min(1, 'must not be empty')
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)
const onOff = z.stringbool({ truthy: ['1', 'true', 'yes'], falsy: ['0', 'false', 'no'], error: 'must be 1 or 0' })

export const aboutOf = (schema: z.ZodType): About => about.get(schema)!

export const serverSettings = {
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
  plan: setting(oneOf(['free', 'professional', 'enterprise']).optional(), {
    flag: 'plan',
    variable: 'AFTERWORD_PLAN',
    value: 'PLAN',
    help: 'free, professional or enterprise: 100, 10,000 or any number of calls a day; without it the plan stays (free at first)',
  }),
  practice: setting(idSchema.optional(), {
    flag: 'practice',
    variable: 'AFTERWORD_PRACTICE',
    value: 'ID',
    help: 'which practice a command is about; not needed where there is one',
  }),
  moved_to: setting(webAddress.optional(), {
    flag: 'moved-to',
    variable: 'AFTERWORD_MOVED_TO',
    value: 'ADDRESS',
    help: 'with "practices close": the address that answers for the practice now',
  }),
  transfer_key: setting(line.optional(), {
    flag: 'transfer-key',
    variable: 'AFTERWORD_TRANSFER_KEY_FILE',
    value: 'FILE',
    help: 'key of an exported practice, written by the export and read by the import (FILE.key beside the file)',
  }),
  consent: setting(oneOf(['asserted', 'enforced']).default('asserted'), {
    flag: 'consent',
    variable: 'AFTERWORD_CONSENT',
    value: 'POLICY',
    help: 'asserted: calling asserts consent, which is audited; enforced: consents are looked up here (asserted)',
  }),
  at_least: setting(
    z
      .string()
      .regex(/^[1-9]\d{0,14}:[0-9a-f]{64}(,[1-9]\d{0,14}:[0-9a-f]{64})*$/, 'must be SEQ:HASH, several with commas between')
      .transform((text) => text.split(','))
      .optional(),
    {
      flag: 'at-least',
      variable: 'AFTERWORD_AT_LEAST',
      value: 'SEQ:HASH',
      help: '"audit verify" fails unless each of these events, noted earlier and separated by commas, is in a chain',
    },
  ),
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
} as const

export class Mistake extends Error {
  override readonly name = 'Mistake'
}
