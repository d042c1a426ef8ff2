import { z } from 'zod'

/** How one setting is given and what `--help` says of it. */
export interface About {
  /** `--flag VALUE`; none for secrets, which other users of the machine could read in the list of processes. */
  readonly flag?: string
  readonly variable: string
  /** Shown after the flag; a flag without one is a switch. */
  readonly value?: string
  readonly help: string
  /** May also be given as `<VARIABLE>_FILE`, the path of a file that holds it. */
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
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)
export const onOff = z.stringbool({ truthy: ['1', 'true', 'yes'], falsy: ['0', 'false', 'no'], error: 'must be 1 or 0' })

export const aboutOf = (schema: z.ZodType): About => about.get(schema)!
