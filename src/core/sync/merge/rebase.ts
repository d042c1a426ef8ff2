import type { Client } from '#contract/model/client.ts'
import type { Session } from '#contract/model/session.ts'
import type { AnyIntent } from '#core/outbox/intents.ts'
import { type Mergeable, picked } from './mergeable.ts'
import type { Pending, PendingIntents } from './pending.ts'
import { type Fields, fieldsOf, isSame, type Merged } from '#core/outbox/three-way.ts'

export type Update = Pending<'update-client' | 'update-session'>

export function updatesOf(pending: PendingIntents, id: string): Update[] {
  return pending.of(id, 'update-client', 'update-session')
}

/** Replaces all queued updates with one: the difference between our record and the service's. */
export function rebase<Kept extends Client | Session>(
  pending: PendingIntents,
  of: Mergeable<Kept>,
  { record, theirs, isHeld }: { readonly record: Kept; readonly theirs: Fields; readonly isHeld: boolean },
): void {
  const updates = updatesOf(pending, record.id)
  const mine = fieldsOf(record)
  const differing = of.names.filter((name) => !isSame(mine[name], theirs[name]))
  const patch = { ...unmerged(of.names, updates), ...picked(record, differing) }
  const names = Object.keys(patch)
  const body = { patch, base: picked(theirs, names) }
  const intent = { kind: of.update, ...of.about(record), body } as AnyIntent
  pending.replace(updates, names.length === 0 ? null : intent, isHeld)
}

/** True if the queued updates no longer match the unpushed changes. */
export function isOutdated(updates: readonly Update[], { record, kept }: Merged, theirs: Fields): boolean {
  const queued = Object.assign({}, ...updates.map(({ body }) => body.patch)) as Fields
  const isHeld = updates.some(({ state, error }) => state === 'needs_you' && error === 'stale-version')
  const isWrong = Object.keys(queued).some(
    (name) => name in record && (!isSame(queued[name], record[name]) || isSame(record[name], theirs[name])),
  )
  return isHeld || isWrong || kept.some((name) => !(name in queued))
}

export function beforeEdits(mine: object, updates: readonly Update[]): Fields {
  return Object.assign({}, mine, ...updates.toReversed().map(({ body }) => body.base)) as Fields
}

function unmerged(names: readonly string[], updates: readonly Update[]): Fields {
  const queued = Object.assign({}, ...updates.map(({ body }) => body.patch)) as Fields
  return Object.fromEntries(Object.entries(queued).filter(([name]) => !names.includes(name)))
}
