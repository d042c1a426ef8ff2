import { isDeepStrictEqual } from 'node:util'
import { clientDraftSchema } from '#contract/model/client.ts'
import { sessionDraftSchema } from '#contract/model/session.ts'
import type { AnyIntent, IntentKind } from './intents.ts'
import { type Fields, fieldsOf } from './three-way.ts'

export interface Edit {
  readonly patch: Fields
  readonly base: Fields
}

/** `base` keeps the values before the first edit, for the three-way merge. Null: the edits cancel out. */
export function joined(earlier: Edit, later: Edit): Edit | null {
  const patch = { ...earlier.patch, ...later.patch }
  const base = { ...later.base, ...earlier.base }
  const names = Object.keys(patch).filter((name) => !isDeepStrictEqual(patch[name], base[name]))
  return names.length === 0 ? null : { patch: only(patch, names), base: only(base, names) }
}

function createdWith(kind: 'create-client' | 'create-session', created: Fields, { patch }: Edit): Fields | null {
  const schema = kind === 'create-client' ? clientDraftSchema : sessionDraftSchema
  const body = schema.safeParse({ ...created, ...patch })
  if (!body.success) return null
  const made: Fields = body.data
  // The schema drops fields that a create doesn't have; they must not be lost.
  const isWhole = Object.entries(patch).every(([name, value]) => isDeepStrictEqual(made[name], value))
  return isWhole ? { ...made, id: created['id'] } : null
}

const createdBy: Partial<Record<IntentKind, IntentKind>> = {
  'update-client': 'create-client',
  'update-session': 'create-session',
}

/** Merges `later` into `earlier`. `remove`: they cancel out. Null: both must be sent. */
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
