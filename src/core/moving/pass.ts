import { type Clock, timestamp } from '#base/clock.ts'
import type { ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { MergedKind } from '#core/sync/merge/incoming.ts'
import type { MovingRecord, MovingRepository, RefusedRecord } from './moving-repository.ts'
import { authorizationsAt, authorizationsOf, type Source, uploadAuthorization, uploadHours } from './service-records.ts'
import { compare, type OwnRepositories, type Target } from './target.ts'
import { upload } from './upload.ts'

export interface PassParts {
  readonly own: OwnRepositories
  readonly moving: MovingRepository
  readonly clock: Clock
  readonly source: () => Source
  readonly to: () => ServiceClient
  /** When the quota resets, if our share is used up; null: calls remain. */
  readonly quotaUntil: () => number | null
  readonly onProgress: () => void
}

/** Errors that concern more than one record. */
const isGeneral = (error: unknown): boolean => !(error instanceof AppError) || error.code === 'unauthenticated' || error.retryable

/** Uploads and compares what is due. Resolves with the time to continue (ms since 1970; 0: now); null: all is done. */
export function createPass(parts: PassParts): (signal: AbortSignal) => Promise<number | null> {
  const { moving, to, clock, onProgress } = parts
  return async (signal) => {
    const state = moving.get()!
    const { person_id, therapist_id, is_owner, again } = state
    const who = { person_id: person_id ?? therapist_id, therapist_id, is_owner }
    const target: Target = { client: to(), who, signal, over: again === 'all' || state.address === null }
    await sendHours(parts, target)
    const until = await sendAll(parts, target, moving.toSend(again))
    await sendAuthorizations(parts, target)
    if (again !== 'new' && until === null) moving.put({ again: 'new', changed_at: timestamp(clock) })
    for (const record of moving.toCheck()) {
      signal.throwIfAborted()
      await unlessRefused(parts, record, () => checkOne(parts, target, record))
      onProgress()
    }
    if (until !== null) return until
    return isAnyReady(parts) || moving.toCheck().length > 0 ? 0 : null
  }
}

/** A refusal marks only this record. */
async function unlessRefused({ moving }: PassParts, record: RefusedRecord, send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (isGeneral(error)) throw error
    moving.refuse(record, (error as AppError).code)
  }
}

async function checkOne({ own, moving }: PassParts, target: Target, record: MovingRecord): Promise<void> {
  const found = await compare(own, target, record.kind as MergedKind, record.id)
  if (found === null) moving.refuse(record, 'not-found')
  else moving.keepChecked(record, found)
}

async function sendAll(parts: PassParts, target: Target, records: readonly MovingRecord[]): Promise<number | null> {
  let until = parts.quotaUntil()
  for (const record of records) {
    target.signal.throwIfAborted()
    if (!isReady(parts, record)) continue
    // Only new sessions count against the quota.
    if (record.kind === 'session' && record.there_version === null && until !== null) continue
    try {
      await unlessRefused(parts, record, () => sendOne(parts, target, record))
      until = parts.quotaUntil()
    } catch (error) {
      if (!failedWith(error, 'quota-exceeded')) throw error
      until = parts.clock.now() + (error.retrySeconds ?? 3600) * 1000
    }
    parts.onProgress()
  }
  return until !== null && isAnyReady(parts) ? until : null
}

async function sendOne({ own, moving }: PassParts, target: Target, record: MovingRecord): Promise<void> {
  const uploaded = await upload({ own, target, record, remember: (sent) => moving.keepSending(record, sent) })
  if (uploaded === 'signed-over-erased') moving.refuse(record, uploaded)
  else if (uploaded !== null) moving.keepSent(record, uploaded)
}

const isAnyReady = (parts: PassParts): boolean => parts.moving.toSend('new').some((record) => isReady(parts, record))

/** A record waits for its parent; if the parent was refused, the record is too. */
function isReady({ moving }: PassParts, record: MovingRecord): boolean {
  const parent = record.kind === 'consent' || record.kind === 'session' ? 'client' : 'session'
  if (record.parent_id === null || moving.isThere(parent, record.parent_id)) return true
  if (moving.isRefused(parent, record.parent_id)) moving.refuse(record, 'parent-missing')
  return false
}

/** Records that only services store have no version here. */
const NO_VERSION = 1

async function sendAuthorizations(parts: PassParts, target: Target): Promise<void> {
  const { moving } = parts
  const { client, signal } = target
  const here = await authorizationsOf(parts.source(), { signal })
  const sendable = here.filter(({ client_id }) => moving.isThere('client', client_id))
  const there = sendable.length === 0 ? null : await authorizationsAt(client, { signal })
  moving.forget('authorisation')
  for (const one of there === null ? [] : sendable) {
    const current = there!.find(({ id }) => id === one.id) ?? null
    const record = { kind: 'authorisation', id: one.client_id, version: NO_VERSION } as const
    await unlessRefused(parts, record, () => uploadAuthorization(one, current, target))
  }
}

async function sendHours(parts: PassParts, target: Target): Promise<void> {
  const { moving } = parts
  await unlessRefused(parts, { kind: 'hours', id: target.who.person_id, version: NO_VERSION }, async () => {
    await uploadHours(parts.source(), target)
    moving.forget('hours')
  })
}
