import { z } from 'zod'

/** UUIDv7 where the service makes it. A client may choose any UUID; it is lower-cased when read. */
export const idSchema = z.uuid().toLowerCase()
/** RFC 3339 in UTC, with `Z`. */
export const timestampSchema = z.iso.datetime()
/** `YYYY-MM-DD`. */
export const dateSchema = z.iso.date()
/** An IANA time zone name the runtime knows. */
export const timeZoneSchema = z.string().min(1).max(64).refine(isTimeZone, 'not an IANA time zone')
export const languageSchema = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'a BCP 47 language tag')
/** Offset on the audio's own clock, counted in samples: paused time is not in it. */
export const millisecondsSchema = z.int().min(0)

/** What every stored record carries. `version` counts up from 1 and is the record's ETag. */
export const recordFields = {
  id: idSchema,
  created_at: timestampSchema,
  updated_at: timestampSchema,
  version: z.int().min(1),
} as const

/** A short line typed by a person. */
export const lineSchema = z.string().trim().max(200)
/** A paragraph typed by a person. */
export const paragraphSchema = z.string().trim().max(4000)

/** What is left of a record that was erased. */
export const tombstoneSchema = z.object({
  id: idSchema,
  updated_at: timestampSchema,
  version: z.int().min(1),
  deleted_at: timestampSchema,
})
export type Tombstone = z.infer<typeof tombstoneSchema>

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable(),
    /** With `updated_since` alone: what was erased, in the same order. They count with the others towards `limit`. */
    deleted: z.array(tombstoneSchema).optional(),
  })
}

export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
  updated_since: timestampSchema.optional(),
})

/** Asking Intl takes longer than all the rest of a session; there are about 600 names. */
const knownTimeZones = new Set<string>()

function isTimeZone(value: string): boolean {
  if (knownTimeZones.has(value)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    if (knownTimeZones.size < 1000) knownTimeZones.add(value)
    return true
  } catch {
    return false
  }
}
