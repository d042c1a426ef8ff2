import { isDeepStrictEqual } from 'node:util'

/** Fields that were named, each with a value. */
export type Named<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }

/** The fields of a patch that differ from the record; what was left out or says the same is not a change. */
export function changedFields<Fields extends object>(before: object, patch: Fields): Named<Fields> {
  const current = before as Record<string, unknown>
  const entries = Object.entries(patch).filter(([key, value]) => value !== undefined && !isDeepStrictEqual(value, current[key]))
  return Object.fromEntries(entries) as Named<Fields>
}

/** The record's own values of the fields a patch names. */
export function pick<Fields extends object>(record: object, patch: Fields): Named<Fields> {
  const current = record as Record<string, unknown>
  return Object.fromEntries(Object.keys(patch).map((key) => [key, current[key]])) as Named<Fields>
}
