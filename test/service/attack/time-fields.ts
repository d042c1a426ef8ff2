import type { z } from 'zod'

export interface Field {
  readonly path: string
  readonly schema: z.ZodType
}

/** The parts of a Zod definition that hold other schemas. */
interface Definition {
  readonly type: string
  readonly shape?: Record<string, z.ZodType>
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly items?: readonly z.ZodType[]
  readonly valueType?: z.ZodType
  readonly left?: z.ZodType
  readonly right?: z.ZodType
  readonly in?: z.ZodType
  readonly getter?: () => z.ZodType
}

/** Every string in a schema, by its path. */
export function stringsIn(schema: z.ZodType, path = ''): Field[] {
  const def = schema._zod.def as unknown as Definition
  if (def.type === 'string') return [{ path, schema }]
  const named = Object.entries(def.shape ?? {}).flatMap(([name, inner]) => stringsIn(inner, `${path}/${name}`))
  const items = [def.element, def.valueType, ...(def.items ?? [])].flatMap((inner) =>
    inner ? stringsIn(inner, `${path}/0`) : [],
  )
  const same = [def.innerType, def.in, def.left, def.right, def.getter?.(), ...(def.options ?? [])]
  return [...named, ...items, ...same.flatMap((inner) => (inner ? stringsIn(inner, path) : []))]
}

export const moment = '2026-03-02T09:00:00Z'
export const date = '2026-03-02'
export const wall = '2026-03-02T09:00'

export const takes = (schema: z.ZodType, text: string): boolean => schema.safeParse(text).success

/** Takes a time and no other text. */
export const isTime = ({ schema }: Field): boolean =>
  [moment, date, wall].some((time) => takes(schema, time)) && !takes(schema, 'x') && !takes(schema, 'a'.repeat(64))
