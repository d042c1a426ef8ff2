import { z } from 'zod'

/** The service generates UUIDv7; callers may send any UUID. */
export const idSchema = z.uuid().toLowerCase()
export const newIdSchema = idSchema
  .optional()
  .describe('Id for the new record, chosen by the caller (any UUID). Without it, the service makes one.')
export const shortIdSchema = z.string().min(1).max(64)
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/)
/** `sentTimestampSchema` and `sentDateSchema` accept the years 1900 to 2200, because another year is probably a typing error. */
export const FIRST_YEAR = 1900
export const LAST_YEAR = 2200
const yearMessage = `the year must be between ${FIRST_YEAR} and ${LAST_YEAR}`

/** RFC 3339 in UTC with `Z`. Answers may contain any year, so that records with a wrong year can be read and corrected. */
export const timestampSchema = z.iso.datetime({ abort: true })
export const dateSchema = z.iso.date({ abort: true })
export const sentTimestampSchema = timestampSchema
  .refine(isYearInRange, yearMessage)
  .describe(`RFC 3339 in UTC, with Z; years ${FIRST_YEAR} to ${LAST_YEAR}.`)
export const sentDateSchema = dateSchema
  .refine(isYearInRange, yearMessage)
  .describe(`YYYY-MM-DD; years ${FIRST_YEAR} to ${LAST_YEAR}.`)
export const timeZoneSchema = shortIdSchema.refine(isTimeZone, 'not an IANA time zone')
export const languageSchema = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'a BCP 47 language tag')
/** Position in recorded audio, or a length of it. Time in which the recording was paused does not count. */
export const millisecondsSchema = z.int().min(0)

export const MAX_SESSION_MINUTES = 24 * 60
export const minutesSchema = z.int().min(1).max(MAX_SESSION_MINUTES)

/** The id becomes the name of a component schema in the OpenAPI document. */
export function named<Shape extends z.core.$ZodLooseShape>(id: string, description: string, shape: Shape) {
  return z.object(shape).meta({ id, description })
}

export function listOf<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.array(z.object(shape))
}

export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.nullable(schema).default(null)
}

/** A patch changes only the fields it contains, so defaults must not fill in the others. */
export function stripDefaults<Shape extends z.core.$ZodShape>(shape: Shape): { [Key in keyof Shape]: Undefaulted<Shape[Key]> } {
  const undefaulted = (schema: z.ZodDefault<z.ZodType>): z.ZodType => schema.unwrap().describe(schema.description ?? '')
  const entries = Object.entries(shape).map(([key, schema]) => [
    key,
    schema instanceof z.ZodDefault ? undefaulted(schema as z.ZodDefault<z.ZodType>) : schema,
  ])
  return Object.fromEntries(entries)
}
type Undefaulted<Schema> = Schema extends z.ZodDefault<infer Inner> ? Inner : Schema

export const recordFields = {
  id: idSchema.describe('Id of this record (UUID), chosen by whoever created it.'),
  created_at: timestampSchema.describe('When the record was created. RFC 3339, UTC.'),
  updated_at: timestampSchema.describe('When the record last changed. RFC 3339, UTC.'),
  version: z.int().min(1).describe("Counts up from 1 with every change; also the record's `ETag`."),
} as const

export const byId = (record: string) => z.object({ id: idSchema.describe(`Id of the ${record} (UUID).`) })

export const lineSchema = z.string().trim().max(200)
export const MAX_PARAGRAPH = 4000
/** Of one section of a note. */
export const MAX_STATEMENTS = 500
export const paragraphSchema = z.string().trim().max(MAX_PARAGRAPH)

export const tombstoneSchema = named('Tombstone', 'What is left of an erased record.', {
  id: idSchema.describe('Id of the erased record.'),
  updated_at: timestampSchema.describe('When the record last changed, including its erasure.'),
  version: z.int().min(1).describe('Version of the erasure.'),
  deleted_at: timestampSchema.describe('When the record was erased.'),
})
export type Tombstone = z.infer<typeof tombstoneSchema>

export function pageOf<Item extends z.ZodType>(item: Item) {
  const id = item.meta()?.id
  const page = z.object({
    data: z.array(item).describe('Records of this page, at most `limit`.'),
    next_cursor: z.string().nullable().describe('Pass it as `cursor` for the next page; null on the last page.'),
    deleted: z
      .array(tombstoneSchema)
      .optional()
      .describe('Only with `updated_since`: records erased since then. They count toward `limit`.'),
  })
  return id === undefined ? page : page.meta({ id: `${id}Page`, description: 'One page of a list.' })
}

/** A whole number in a query string. Only digits are accepted: `Number` would also read `1e2`, `0x10` and an empty string. */
export function limitSchema(most: number, usual: number) {
  const digits = (value: unknown): unknown => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value)
  return z.preprocess(digits, z.int().min(1).max(most)).default(usual)
}

export const pageQuerySchema = z.object({
  limit: limitSchema(200, 50).describe('Records per page, 1 to 200. A page also ends early if its bodies exceed 4 MiB.'),
  cursor: z.string().max(500).optional().describe('`next_cursor` of the page before. Leave it out for the first page.'),
  updated_since: sentTimestampSchema
    .optional()
    .describe('Only records changed at or after this moment, erased ones included, in order of change. Years 1900 to 2200.'),
})

function isYearInRange(time: string): boolean {
  const year = Number(time.slice(0, 4))
  return year >= FIRST_YEAR && year <= LAST_YEAR
}

/** Cache, because checking a name with Intl is slow. */
const knownTimeZones = new Set<string>()

function isTimeZone(value: string): boolean {
  if (knownTimeZones.has(value)) return true
  try {
    new Intl.DateTimeFormat(undefined, { timeZone: value })
    if (knownTimeZones.size < 1000) knownTimeZones.add(value)
    return true
  } catch {
    return false
  }
}
