import { z } from 'zod'
import { idSchema } from '#contract/model/common.ts'

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

/** `help.json` describes each setting. */
export const serverSettings = {
  data: z.string('is missing: the folder to keep the data in').min(1, 'must not be empty'),
  port: wholeNumber(0, 65_535).default(8080),
  host: line.default('127.0.0.1'),
  behind_proxy: onOff.default(false),
  tls_certificate: line.optional(),
  tls_key: line.optional(),
  database_url: z.url({ protocol: /^postgres(ql)?$/, error: 'must be an address that begins with postgres://' }).optional(),
  key_file: line.optional(),
  key_store: oneOf(['auto', 'keychain', 'file']).default('auto'),
  plan: oneOf(['free', 'professional', 'enterprise']).optional(),
  practice: idSchema.optional(),
  moved_to: webAddress.optional(),
  transfer_key: line.optional(),
  consent: oneOf(['asserted', 'enforced']).default('asserted'),
  at_least: z
    .string()
    .regex(/^[1-9]\d{0,14}:[0-9a-f]{64}(,[1-9]\d{0,14}:[0-9a-f]{64})*$/, 'must be SEQ:HASH, several with commas between')
    .transform((text) => text.split(','))
    .optional(),
  log_level: oneOf(['info', 'warn', 'error', 'off']).default('info'),
  metrics_token: z.string().min(16, 'must have at least 16 characters').optional(),
  drain_delay: wholeNumber(0, 600).default(0),
  drain_limit: wholeNumber(1, 3600).default(60),
} as const

export class Mistake extends Error {
  override readonly name = 'Mistake'
}
