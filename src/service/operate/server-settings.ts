import { z } from 'zod'
import { idSchema } from '#contract/model/common.ts'

interface About {
  readonly help: string
  /** Environment variable; by default `AFTERWORD_` and the name in upper case. */
  readonly variable?: string
  /** Placeholder of the value in the help. Settings with a placeholder and switches have a command-line flag. */
  readonly value?: string
  readonly isSwitch?: true
  /** A secret has no flag, because other users can read the process list. `<VARIABLE>_FILE` can name a file with the secret. */
  readonly isSecret?: true
}

const about = z.registry<About>()

export function setting<Schema extends z.ZodType>(schema: Schema, help: string, more: Omit<About, 'help'> = {}): Schema {
  about.add(schema, { help, ...more })
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

export function aboutOf(name: string, schema: z.ZodType) {
  const { variable = `AFTERWORD_${name.toUpperCase()}`, isSwitch = false, ...rest } = about.get(schema)!
  const flag = isSwitch || rest.value !== undefined ? name.replaceAll('_', '-') : undefined
  return { ...rest, variable, flag }
}

export const serverSettings = {
  data: setting(
    z.string('is missing: the folder to keep the data in').min(1, 'must not be empty'),
    'folder of the data; made where it is not there',
    { value: 'DIR' },
  ),
  port: setting(wholeNumber(0, 65_535).default(8080), 'port to listen on; 0 takes a free one (8080)', {
    variable: 'PORT',
    value: 'N',
  }),
  host: setting(
    line.default('127.0.0.1'),
    'address to listen on (127.0.0.1); any that is not this machine alone needs TLS or --behind-proxy',
    { value: 'ADDRESS' },
  ),
  behind_proxy: setting(
    onOff.default(false),
    'a proxy of yours in front of it speaks TLS; plain HTTP is then taken on any address',
    { isSwitch: true },
  ),
  tls_certificate: setting(line.optional(), 'certificate chain (PEM); read again on SIGHUP', { value: 'FILE' }),
  tls_key: setting(line.optional(), 'its private key (PEM); read again on SIGHUP', { value: 'FILE' }),
  database_url: setting(
    z.url({ protocol: /^postgres(ql)?$/, error: 'must be an address that begins with postgres://' }).optional(),
    'PostgreSQL to keep the records in (postgres://user:password@host/database); SQLite in DIR without it',
    { variable: 'DATABASE_URL', isSecret: true },
  ),
  key_file: setting(
    line.optional(),
    'file with the key of the data, 64 hexadecimal digits; by default the system keychain, else DIR.key beside the data',
    { variable: 'AFTERWORD_SERVICE_KEY_FILE' },
  ),
  key_store: setting(
    oneOf(['auto', 'keychain', 'file']).default('auto'),
    'where the key of a new store goes without such a file: auto, keychain, file (auto)',
    { variable: 'AFTERWORD_SERVICE_KEY_STORE', value: 'WHERE' },
  ),
  plan: setting(
    oneOf(['free', 'professional', 'enterprise']).optional(),
    'free, professional or enterprise: 100, 10,000 or any number of calls a day; without it the plan stays (free at first)',
    { value: 'PLAN' },
  ),
  practice: setting(idSchema.optional(), 'which practice a command is about; not needed where there is one', { value: 'ID' }),
  moved_to: setting(webAddress.optional(), 'with "practices close": the address that answers for the practice now', {
    value: 'ADDRESS',
  }),
  transfer_key: setting(
    line.optional(),
    'key of an exported practice, written by the export and read by the import (FILE.key beside the file)',
    { variable: 'AFTERWORD_TRANSFER_KEY_FILE', value: 'FILE' },
  ),
  consent: setting(
    oneOf(['asserted', 'enforced']).default('asserted'),
    'asserted: calling asserts consent, which is audited; enforced: consents are looked up here (asserted)',
    { value: 'POLICY' },
  ),
  at_least: setting(
    z
      .string()
      .regex(/^[1-9]\d{0,14}:[0-9a-f]{64}(,[1-9]\d{0,14}:[0-9a-f]{64})*$/, 'must be SEQ:HASH, several with commas between')
      .transform((text) => text.split(','))
      .optional(),
    '"audit verify" fails unless each of these events, noted earlier and separated by commas, is in a chain',
    { value: 'SEQ:HASH' },
  ),
  log_level: setting(
    oneOf(['info', 'warn', 'error', 'off']).default('info'),
    'info (every call), warn, error, off; JSON lines on standard error (info)',
    { value: 'LEVEL' },
  ),
  metrics_token: setting(
    z.string().min(16, 'must have at least 16 characters').optional(),
    'bearer token for /metrics; without one only this machine may read them',
    { isSecret: true },
  ),
  drain_delay: setting(
    wholeNumber(0, 600).default(0),
    'on SIGTERM, how long /readyz says no before connections are refused (0)',
    { value: 'SECONDS' },
  ),
  drain_limit: setting(wholeNumber(1, 3600).default(60), 'then, how long calls under way may take to be answered (60)', {
    value: 'SECONDS',
  }),
} as const

export class Mistake extends Error {
  override readonly name = 'Mistake'
}
