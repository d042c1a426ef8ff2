import type { ConflictChoice } from '#contract/bridge/conflicts.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { Change, MakeChange, RecordKind } from '#core/records/change.ts'
import type { Repositories } from '#core/records/repositories.ts'
import type { StoredConflict } from './conflict-repository.ts'
import { asItIs, listConflicts } from './list-conflicts.ts'
import type { ResolvingParts } from './merge.ts'
import { applyBooking, applyDocument, applyFields } from './resolve-conflict.ts'
import { applyTogether } from './write-together.ts'

interface Parts extends Repositories {
  readonly resolving: ResolvingParts
  readonly change: MakeChange
  /** With its key and its file. */
  readonly eraseRecording: (recordingId: string) => Promise<unknown>
}

const changes: readonly RecordKind[] = ['conflicts', 'clients', 'sessions', 'consents', 'transcripts', 'notes', 'templates']

export function conflictHandlers(parts: Parts): Handlers<'conflicts.list' | 'conflicts.resolve'> {
  const { resolving, change } = parts
  const { conflicts, tombstones } = resolving
  /** Null: it was decided before, here or by what came in. */
  const openOne = (id: string, version: number): StoredConflict | null => {
    const stored = conflicts.find(id)
    if (stored === null) throw new AppError('not-found')
    if (stored.resolved_at !== null) return null
    if (stored.version !== version) throw new AppError('stale-version')
    return stored
  }
  return {
    'conflicts.list': ({ decided }) => listConflicts(parts, resolving, decided),
    async 'conflicts.resolve'({ id, version, choice }) {
      const seen = openOne(id, version)
      if (seen === null) return {}
      // Sound first: cut off in between, the question is still there.
      if (seen.kind === 'erased' && choice.kind === 'erased' && choice.do === 'erase') {
        for (const recording of tombstones.onlyHere(seen.record_kind, seen.record_id).recordings)
          await parts.eraseRecording(recording)
      }
      change(changes, (writing) => {
        const stored = openOne(id, version)
        if (stored === null) return
        conflicts.freeze(asItIs(parts, resolving, stored))
        conflicts.resolve(id, choice)
        writing.audit({ action: 'conflict.resolved', subject_id: stored.record_id, client_id: stored.client_id })
        apply(parts, writing, stored, choice)
      })
      return {}
    },
  }
}

function apply(parts: Parts, writing: Change, stored: StoredConflict, choice: ConflictChoice): void {
  const { resolving } = parts
  if (stored.kind === 'fields' && choice.kind === 'fields') applyFields(resolving, writing.at, stored, choice)
  else if (stored.kind === 'document' && choice.kind === 'document') applyDocument(parts, resolving, stored, choice)
  else if (stored.kind === 'document' && choice.kind === 'together') applyTogether(parts, resolving, writing, stored, choice)
  else if (stored.kind === 'booking' && choice.kind === 'booking') applyBooking(resolving, writing, stored, choice)
  else if (stored.kind === 'erased' && choice.kind === 'erased') applyErased(resolving, stored, choice.do)
  else throw new AppError('validation-failed', 'This is another kind of question.')
}

function applyErased({ pending, tombstones }: ResolvingParts, stored: StoredConflict, what: 'keep' | 'erase'): void {
  const { record_kind: kind, record_id: id, client_id } = stored
  if (what === 'erase') tombstones.erase(kind, id)
  // What is gone there takes no more changes: they stay here.
  else if (kind === 'client') pending.removeAll({ client_id: client_id ?? id })
  else pending.removeAll(kind === 'session' ? { session_id: id } : { subject_id: id })
  if (what === 'keep') tombstones.kept(kind, id)
}
