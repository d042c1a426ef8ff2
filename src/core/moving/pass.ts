import { type Clock, timestamp } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { MergedKind } from '#core/sync/merge/incoming.ts'
import type { Moving, MovingRecord, MovingRepository } from './moving-repository.ts'
import { type Source, uploadAuthorizations, uploadHours } from './service-records.ts'
import { compare, type OwnRepositories, type Target } from './target.ts'
import { upload } from './upload.ts'

/** `until`: when the exhausted daily quota resets (ms since 1970), or null. */
export interface Passed {
  readonly more: boolean
  readonly until: number | null
}

export interface PassParts {
  readonly db: Sqlite
  readonly own: OwnRepositories
  readonly moving: MovingRepository
  readonly clock: Clock
  readonly source: () => Source
  readonly to: (moving: Moving) => ServiceClient
  /** When the quota resets, if our share is used up; null: calls remain. */
  readonly quotaUntil: () => number | null
  readonly onProgress: () => void
}

const stopping = (error: unknown): boolean => !(error instanceof AppError) || error.code === 'unauthenticated' || error.retryable

export function createPass(parts: PassParts): (signal: AbortSignal) => Promise<Passed> {
  const { moving, to, clock, onProgress } = parts
  return async (signal) => {
    const state = moving.get()!
    const { person_id, therapist_id, is_owner, again } = state
    const who = { person_id: person_id ?? therapist_id, therapist_id, is_owner }
    const target: Target = { client: to(state), who, signal, over: again === 'all' || state.address === null }
    await takeHours(parts, target)
    const until = await sendAll(parts, target, moving.toSend(again))
    await takeAuthorisations(parts, target)
    if (again !== 'new' && until === null) moving.put({ again: 'new', changed_at: timestamp(clock) })
    for (const record of moving.toCheck()) {
      signal.throwIfAborted()
      await checkOne(parts, target, record)
      onProgress()
    }
    const isMore = moving.toSend('new').some((record) => isReady(parts, record)) || moving.toCheck().length > 0
    return { more: isMore && until === null, until }
  }
}

/** A failed read marks only this record. */
async function checkOne({ own, moving }: PassParts, target: Target, record: MovingRecord): Promise<void> {
  try {
    const found = await compare(own, target, record.kind as MergedKind, record.id)
    if (found === null) moving.refuse(record, 'not-found')
    else moving.keepChecked(record, found)
  } catch (error) {
    if (stopping(error)) throw error
    moving.refuse(record, (error as AppError).code)
  }
}

async function sendAll(parts: PassParts, target: Target, records: readonly MovingRecord[]): Promise<number | null> {
  let until = parts.quotaUntil()
  for (const record of records) {
    target.signal.throwIfAborted()
    if (!isReady(parts, record)) continue
    // Only new sessions count against the quota.
    if (record.kind === 'session' && record.there_version === null && until !== null) continue
    try {
      await sendOne(parts, target, record)
      until = parts.quotaUntil()
    } catch (error) {
      if (failedWith(error, 'quota-exceeded')) until = parts.clock.now() + ((error as AppError).retrySeconds ?? 3600) * 1000
      else if (stopping(error)) throw error
      else parts.moving.refuse(record, (error as AppError).code)
    }
    parts.onProgress()
  }
  return until !== null && parts.moving.toSend('new').some((record) => isReady(parts, record)) ? until : null
}

async function sendOne({ db, own, moving }: PassParts, target: Target, record: MovingRecord): Promise<void> {
  const uploaded = await upload({ own, target, record, remember: (sent) => moving.keepSending(record, sent) })
  if (uploaded === null) return
  if (uploaded === 'signed-over-erased') return moving.refuse(record, uploaded)
  const { local_version, ...there } = uploaded
  db.transaction(() => moving.keepSent({ ...record, version: local_version }, there)).immediate()
}

/** A record waits for its parent; if the parent was refused, the record is too. */
function isReady({ moving }: PassParts, record: MovingRecord): boolean {
  const parent = record.kind === 'consent' || record.kind === 'session' ? 'client' : 'session'
  if (record.parent_id === null || moving.isThere(parent, record.parent_id)) return true
  if (moving.isRefused(parent, record.parent_id)) moving.refuse(record, 'parent-missing')
  return false
}

/** Records that only services store have no local version. */
const standing = { version: 1, client_id: null, parent_id: null, there_version: null, sent: undefined }

async function takeAuthorisations({ source, moving }: PassParts, target: Target): Promise<void> {
  const isThere = (client_id: string): boolean => moving.isThere('client', client_id)
  const refused = await uploadAuthorizations(source(), target, { isThere, isStopping: stopping })
  moving.forget('authorisation')
  for (const [id, code] of refused) moving.refuse({ ...standing, kind: 'authorisation', id }, code)
}

async function takeHours({ source, moving }: PassParts, target: Target): Promise<void> {
  try {
    await uploadHours(source(), target)
    moving.forget('hours')
  } catch (error) {
    if (stopping(error)) throw error
    moving.refuse({ ...standing, kind: 'hours', id: target.who.person_id }, (error as AppError).code)
  }
}
