import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { SettingsRepository } from '#core/settings/settings-repository.ts'
import type { AnyIntent, Intent, IntentKind, StoredIntent } from '#core/outbox/intents.ts'
import type { Fields } from '#core/outbox/three-way.ts'
import { createCommon, forgetCommon } from '#core/sync/merge/common.ts'
import { intentsOf } from '#core/sync/push-again.ts'
import { versionedKinds } from '#core/sync/record-kinds.ts'
import type { Migration, MigrationRepository } from './migration-repository.ts'
import type { OwnRepositories } from './target.ts'
import type { RecordParts } from '#core/records/repositories.ts'

export interface SwitchParts extends OwnRepositories, Pick<RecordParts, 'db' | 'clock' | 'change' | 'outbox'> {
  readonly migration: MigrationRepository
  readonly settingsRepository: SettingsRepository
}

/**
 * Makes the target the current service in one transaction. Returns the queued long-running work, to be canceled at
 * the old service.
 */
export function switchOver(parts: SwitchParts, migration: Migration): StoredIntent[] {
  const { db, change, outbox, settingsRepository } = parts
  return change(['clients', 'sessions'], ({ at, audit }) => {
    const work = parts.clients.list({}).flatMap(({ id }) => outbox.workOf(id))
    work.sort((left, right) => left.sequence - right.sequence)
    db.exec('delete from outbox; delete from kept_here')
    for (const [kind, table] of versionedKinds) storeVersions(db, kind, table)
    forgetCommon(db)
    settingsRepository.put({ service_address: migration.address, therapist_id: migration.person_id ?? migration.therapist_id })
    storeCommonVersions(db, migration.address !== null)
    reassignClinicians(db, migration)
    for (const intent of refusedIntents(parts)) outbox.add(intent)
    for (const intent of work) outbox.add(restarted(parts.clock, intent))
    const isBack = migration.address === null
    const therapist_before = isBack ? null : migration.therapist_id
    parts.migration.put({ phase: 'confirmed', old_store: isBack ? 'in_use' : 'kept', therapist_before, changed_at: at })
    audit({ action: 'moving.confirmed', subject_id: migration.therapist_id })
    return work
  })
}

/**
 * Stores the target's version of each record. If a record has a problem, stores null for a transcript or note, and otherwise
 * one less than the target's version, so that the next push is merged.
 */
function storeVersions(db: Sqlite, kind: string, table: string): void {
  const isDocument = kind === 'transcript' || kind === 'note' ? 1 : 0
  const version = `select case when problem is null then there_version when @isDocument = 1 then null else there_version - 1 end
    from moving_records where kind = @kind and moving_records.id = ${table}.id`
  db.prepare(`update ${table} set service_version = (${version})`).run({ kind, isDocument })
}

function storeCommonVersions(db: Sqlite, isRemote: boolean): void {
  const common = createCommon(db, () => isRemote)
  const rows = db
    .prepare(
      `select kind, id, there_version - (problem is not null) as version, sent from moving_records join moving_sent using (kind, id)
       where kind in ('client', 'session') and there_version is not null`,
    )
    .all() as { kind: 'client' | 'session'; id: string; version: number; sent: string }[]
  for (const { kind, id, version, sent } of rows) {
    const record = (JSON.parse(sent) as Fields[]).at(-1)
    if (record !== undefined) common.keep(kind, id, { version, record })
  }
}

/**
 * Replaces the migrating therapist's id in clients and sessions with the id at the target. Also assigns unassigned clients and
 * sessions to the therapist, unless this person is an owner.
 */
function reassignClinicians(db: Sqlite, { person_id, therapist_id, is_owner }: Migration): void {
  if (person_id === null) return
  const whose = is_owner ? 'clinician_id = @before' : '(clinician_id = @before or clinician_id is null)'
  for (const table of ['clients', 'sessions'])
    db.prepare(`update ${table} set clinician_id = @now where ${whose}`).run({ now: person_id, before: therapist_id })
}

/** Intents for records that the target refused. Templates have none, because they are sent with the next draft. */
function* refusedIntents(parts: SwitchParts): Generator<AnyIntent> {
  for (const [kind, table] of versionedKinds) {
    const refused = parts.db.prepare(
      `select id, there_version from moving_records where kind = ? and problem is not null and problem <> 'differs'
       and id in (select id from ${table})`,
    )
    for (const { id, there_version } of refused.all(kind) as { id: string; there_version: number | null }[])
      for (const intent of intentsOf[kind](parts, id)) if (there_version === null || !creating.has(intent.kind)) yield intent
  }
}

const creating: ReadonlySet<IntentKind> = new Set(['create-client', 'create-session', 'give-consent'])

/** Uploaded audio stays with the old service, so use new upload ids. */
function restarted(clock: Clock, { kind, client_id, session_id, subject_id, body }: StoredIntent): AnyIntent {
  const upload = kind === 'transcribe' ? { upload_id: newId(clock), upload_key: newId(clock) } : {}
  return { kind, client_id, session_id, subject_id, body: { ...(body as Intent['body']), ...upload } } as AnyIntent
}
