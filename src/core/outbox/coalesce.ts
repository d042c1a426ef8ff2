import { isDeepStrictEqual } from 'node:util'
import { clientDraftSchema } from '#contract/model/client.ts'
import { sessionDraftSchema } from '#contract/model/session.ts'
import type { AnyIntent, IntentKind } from './intents.ts'
import { type Fields, fieldsOf } from './three-way.ts'

/** An edit as it is kept: what each field becomes, and what it was. */
export interface Edit {
  readonly patch: Fields
  readonly base: Fields
}

/**
 * Two edits of one record in a row as one. A field's base is what it was before the first of them, so that a merge with
 * what others did still has the right ground; a field that is back to what it was is no edit. Null: nothing is left.
 */
export function joined(earlier: Edit, later: Edit): Edit | null {
  const patch = { ...earlier.patch, ...later.patch }
  const base = { ...later.base, ...earlier.base }
  const names = Object.keys(patch).filter((name) => !isDeepStrictEqual(patch[name], base[name]))
  return names.length === 0 ? null : { patch: only(patch, names), base: only(base, names) }
}

/** A new record with an edit in it; null where it could not be created like that. */
function createdWith(kind: 'create-client' | 'create-session', created: Fields, { patch }: Edit): Fields | null {
  const schema = kind === 'create-client' ? clientDraftSchema : sessionDraftSchema
  const body = schema.safeParse({ ...created, ...patch })
  if (!body.success) return null
  const made: Fields = body.data
  // A field that one is not created with would be lost.
  const isWhole = Object.entries(patch).every(([name, value]) => isDeepStrictEqual(made[name], value))
  return isWhole ? { ...made, id: created['id'] } : null
}

const createdBy: Partial<Record<IntentKind, IntentKind>> = {
  'update-client': 'create-client',
  'update-session': 'create-session',
}

/** What the earlier intent becomes when it takes in the later one; `remove`: they undo each other. Null: both stay. */
export function coalesced(earlier: AnyIntent, later: AnyIntent): { readonly body: object } | 'remove' | null {
  if (later.kind !== 'update-client' && later.kind !== 'update-session') return null
  const edit = later.body as Edit
  if (earlier.kind === later.kind) {
    const body = joined(earlier.body as Edit, edit)
    return body === null ? 'remove' : { body }
  }
  if (earlier.kind !== createdBy[later.kind]) return null
  const body = createdWith(earlier.kind as 'create-client' | 'create-session', fieldsOf(earlier.body), edit)
  return body === null ? null : { body }
}

const only = (fields: Fields, names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, fields[name]]))
