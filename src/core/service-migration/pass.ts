import { type Clock, timestamp } from '#base/clock.ts'
import type { ServiceClient } from '#client/client.ts'
import { AppError } from '#contract/errors.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { MergedKind } from '#core/sync/merge/common.ts'
import type { MigrationRecord, MigrationRepository, RefusedRecord } from './migration-repository.ts'
import { authorizationsAt, authorizationsOf, type Source, uploadAuthorization, uploadHours } from './service-records.ts'
import { compare, type OwnRepositories, type Target, withClinicians } from './target.ts'
import { upload } from './upload.ts'

export interface PassParts {
  readonly own: OwnRepositories
  readonly migration: MigrationRepository
  readonly clock: Clock
  readonly source: () => Source
  readonly to: () => ServiceClient
  readonly quotaUntil: () => number | null
  readonly onProgress: () => void
}

const isGeneral = (error: unknown): boolean => !(error instanceof AppError) || error.code === 'unauthenticated' || error.retryable

export function createPass(parts: PassParts): (signal: AbortSignal) => Promise<number | null> {
  const { migration, to, clock, onProgress } = parts
  return async (signal) => {
    const state = migration.get()!
    const { person_id, therapist_id, is_owner, again } = state
    const who = { person_id: person_id ?? therapist_id, therapist_id, is_owner }
    const over = again === 'all' || state.address === null
    const target = { client: to(), own: withClinicians(parts.own, who), who, signal, over }
    await migrateHours(parts, target)
    const until = await uploadAll(parts, target, migration.toUpload(again))
    await migrateAuthorizations(parts, target)
    const isServed = again !== 'new' && migration.get()!.again === again
    if (isServed && until === null) migration.put({ again: 'new', changed_at: timestamp(clock) })
    for (const record of migration.toCompare()) {
      signal.throwIfAborted()
      await unlessRefused(parts, record, async () => {
        const found = await compare(target, record.kind as MergedKind, record.id)
        if (found === null) migration.refuse(record, 'not-found')
        else migration.storeCompared(record, found)
      })
      onProgress()
    }
    if (until !== null) return until
    return isAnyReady(parts) || migration.toCompare().length > 0 ? 0 : null
  }
}

async function unlessRefused({ migration }: PassParts, record: RefusedRecord, send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (isGeneral(error)) throw error
    migration.refuse(record, (error as AppError).code)
  }
}

async function uploadAll(parts: PassParts, target: Target, records: readonly MigrationRecord[]): Promise<number | null> {
  const { migration } = parts
  let until = parts.quotaUntil()
  for (const record of records) {
    target.signal.throwIfAborted()
    if (!isReady(parts, record)) continue
    // Creating a session counts toward the daily quota, so wait for the next reset. Other uploads continue.
    if (record.kind === 'session' && record.there_version === null && until !== null) continue
    try {
      await unlessRefused(parts, record, async () => {
        const uploaded = await upload({ target, record, remember: (sent) => migration.storeSent(record, sent) })
        if (uploaded === 'signed-over-erased') migration.refuse(record, uploaded)
        else if (uploaded !== null) migration.storeUploaded(record, uploaded)
      })
      until = parts.quotaUntil()
    } catch (error) {
      if (!failedWith(error, 'quota-exceeded')) throw error
      until = parts.clock.now() + (error.retrySeconds ?? 3600) * 1000
    }
    parts.onProgress()
  }
  return until !== null && isAnyReady(parts) ? until : null
}

const isAnyReady = (parts: PassParts): boolean => parts.migration.toUpload('new').some((record) => isReady(parts, record))

function isReady({ migration }: PassParts, record: MigrationRecord): boolean {
  const parent = record.kind === 'consent' || record.kind === 'session' ? 'client' : 'session'
  if (record.parent_id === null || migration.isThere(parent, record.parent_id)) return true
  if (migration.isRefused(parent, record.parent_id)) migration.refuse(record, 'parent-missing')
  return false
}

const NO_VERSION = 1

async function migrateAuthorizations(parts: PassParts, target: Target): Promise<void> {
  const { migration } = parts
  const { client, signal } = target
  const here = await authorizationsOf(parts.source(), { signal })
  const sendable = here.filter(({ client_id }) => migration.isThere('client', client_id))
  const there = sendable.length === 0 ? null : await authorizationsAt(client, { signal })
  migration.forget('authorisation')
  for (const one of there === null ? [] : sendable) {
    const current = there!.find(({ id }) => id === one.id) ?? null
    const record = { kind: 'authorisation', id: one.client_id, version: NO_VERSION } as const
    await unlessRefused(parts, record, () => uploadAuthorization(one, current, target))
  }
}

async function migrateHours(parts: PassParts, target: Target): Promise<void> {
  const { migration } = parts
  await unlessRefused(parts, { kind: 'hours', id: target.who.person_id, version: NO_VERSION }, async () => {
    await uploadHours(parts.source(), target)
    migration.forget('hours')
  })
}
