import type { Emit, EventName } from '#contract/bridge/events.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { errorKind } from '#base/log.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import type { ReadOut } from '#base/read-out.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { OpenVault } from '#core/vault/vault.ts'
import { currentCause, lostItem, type RecoveryItem, reportRecovery, solveReports } from '#core/vault/recovery-report.ts'
import type { RecoveryKind } from '#contract/bridge/recovery.ts'
import { kindsOfMany, kindsOfOne } from '#core/vault/lost-records.ts'
import { type InventoryContent, openInventoryFile, type Position, type Rows, type StoredInventory } from './inventory-file.ts'
import { itemsOfLost, listLost, listRecords, lostRecords, nameOfClient, sessionsOfLost } from './inventory-records.ts'
import { listedRecording, listLocal, restoreLocal, restoreSettings } from './local-records.ts'

interface Parts extends Pick<RecordParts, 'emit' | 'clock' | 'log'> {
  readonly folder: string
  readonly vault: OpenVault
}

const WRITE_EVERY_MS = 10_000
const SHARE_OF_TIME = 100

const atOnce = `action in ('note.signed', 'settings.changed', 'moving.confirmed') or action like '%.erased' or action like '%.removed'`

/** A list of the records in a separate file, so that records lost from both databases can be named. */
export type Inventory = ReturnType<typeof openInventory>

/**
 * The inventory names the last audit entry at the time of writing. It is written after the vault commits, so the audit log of
 * an intact vault has that entry. If the log lacks the entry (after a restore or the loss of the WAL), or if the vault was
 * repaired, the contents are compared.
 */
export function openInventory({ folder, vault, clock, log, emit }: Parts) {
  const { db } = vault
  const openedAt = timestamp(clock)
  const file = openInventoryFile({ folder, clock, vault })
  const state = createState(db, clock)
  const isUrgent = db.prepare(`select 1 from audit where sequence > ? and (${atOnce}) limit 1`)
  let [sequence, nextAt] = [0, 0]
  let timer: NodeJS.Timeout | undefined
  /** True if reading or comparing failed. The file is then not overwritten, so that the next start can try again. */
  let isHeld = false

  const write = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (isHeld) return
    const began = performance.now()
    try {
      const position = positionOf(db)
      file.write(position, state.content())
      sequence = position.sequence
    } catch (error) {
      log.warn('inventory.not-written', { kind: errorKind(error) })
    }
    const now = performance.now()
    nextAt = now + Math.max(WRITE_EVERY_MS, SHARE_OF_TIME * (now - began))
  }

  const changed = (): void => {
    if (!db.inTransaction && isUrgent.get(sequence) !== undefined) write()
    else timer ??= setTimeout(write, Math.max(0, nextAt - performance.now())).unref()
  }
  try {
    const found = file.read()
    if (found !== null && isSamePosition(db, found.position) && !found.is_awaiting) {
      sequence = found.position.sequence
      if (!found.is_in_both) write()
      else if (sequence < positionOf(db).sequence) changed()
    } else {
      if (compare(db, found, state)) log.warn('inventory.not-in-vault', {})
      write()
    }
  } catch (error) {
    isHeld = true
    log.error('inventory.not-compared', { kind: errorKind(error) })
  }
  if (vault.is_journal_lost) reportRecovery(db, clock, currentCause(db, 'vault'), [lostItem('list', 'list')])
  return {
    emit: following(emit, changed),
    compared(): void {
      const isSettled = state.settle()
      if (isSettled) write()
      if (isSettled) emit('records.changed', { kinds: ['sessions'] })
      if (solveReports(db, clock, openedAt) || isSettled) emit('records.changed', { kinds: ['recovery'] })
    },
    lostNames: state.lostNames,
    listedRecording: state.listedRecording,
    serviceRepaired: state.serviceRepaired,
    close: write,
  }
}

const ofRecords: ReadonlySet<EventName> = new Set(['records.changed', 'recording.changed', 'settings.changed'])

const following =
  (emit: Emit, changed: () => void): Emit =>
  (name, payload) => {
    emit(name, payload)
    if (ofRecords.has(name)) changed()
  }

function compare(db: Sqlite, found: StoredInventory | null, state: ReturnType<typeof createState>): boolean {
  const content = found?.content() ?? null
  if (found === null || content === null) {
    state.unlisted()
    return false
  }
  const isSame = isSamePosition(db, found.position)
  if (isSame) state.carryOver(content)
  else state.compare(content, positionOf(db).sequence < found.position.sequence)
  if (isOutdated(db, found.position)) state.unlisted()
  return !isSame
}

const lastRepair = `select id from recovery_reports where file = 'vault' and cause <> 'behind' order by at desc, id desc limit 1`

function positionOf(db: Sqlite): Position {
  const head = db.prepare('select sequence, hash from audit order by sequence desc limit 1').get()
  const repair = (db.prepare(lastRepair).pluck().get() as string | undefined) ?? null
  return { sequence: 0, hash: '', ...(head as Pick<Position, 'sequence' | 'hash'> | undefined), repair }
}

function isSamePosition(db: Sqlite, { sequence, hash, repair }: Position): boolean {
  const here = db.prepare('select hash from audit where sequence = ?').pluck().get(sequence)
  return (here ?? '') === hash && positionOf(db).repair === repair
}

function isOutdated(db: Sqlite, { sequence, repair }: Position): boolean {
  if (positionOf(db).repair === repair) return false
  const ofRecords = `client_id is not null or action like 'settings.%' or action like 'recording.%'`
  return db.prepare(`select 1 from audit where sequence > ? and (${ofRecords}) limit 1`).get(sequence) !== undefined
}

function createState(db: Sqlite, clock: Clock) {
  const nothing: InventoryContent['awaited'] = { records: [], local: {}, is_unlisted: false }
  let awaited = nothing
  let lost: Rows = []
  let incomplete: ReadonlySet<string> | null = null
  const report = (items: readonly RecoveryItem[]): void => {
    if (items.length > 0) reportRecovery(db, clock, currentCause(db, 'vault'), items)
  }
  return {
    content: (): InventoryContent => ({ ...listRecords(db), lost: listLost(db), local: listLocal(db), awaited }),
    unlisted(): void {
      awaited = { ...awaited, is_unlisted: true }
      reportUnlisted(db, clock)
    },
    serviceRepaired(found: Pick<ReadOut, 'incomplete'>): void {
      incomplete = new Set(found.incomplete)
    },
    lostNames: {
      isAnythingLost: () => lost.length > 0,
      sessions: () => sessionsOfLost(db, lost, awaited.local),
      nameOf: (clientId: string) => nameOfClient(lost, clientId),
    },
    listedRecording: (id: string) => listedRecording(awaited.local, id),
    carryOver(content: InventoryContent): void {
      ;({ awaited } = content)
      lost = awaited.records
    },
    compare(content: InventoryContent, isOlder: boolean): void {
      const restore = db.transaction(() => report(restoreSettings(db, content.local['settings'] ?? [], isOlder)))
      restore.immediate()
      const local = { ...content.awaited.local, ...content.local }
      awaited = { records: lostRecords(db, content), local, is_unlisted: content.awaited.is_unlisted }
      lost = awaited.records
    },
    settle(): boolean {
      if (awaited === nothing) return false
      const { records, local, is_unlisted } = awaited
      const restore = db.transaction(() => {
        const items = [...restoreLocal(db, local, records), ...itemsOfLost(db, records)]
        report(items)
        settleTables(db, { named: new Set(items.map(({ kind }) => kind)), isUnlisted: is_unlisted, incomplete })
        if (is_unlisted) reportUnlisted(db, clock)
      })
      restore.immediate()
      awaited = nothing
      return true
    },
  }
}

const unreadOf = `(select id from recovery_reports where file = 'vault' and read_at is null)`
const unsettledOf = `(
  select id from recovery_reports where file = 'vault'
    and (read_at is null or id not in (select report_id from recovery_items where kind = 'list')))`

/** Adds to the unread report, if there is one, that more may be missing than the report names. */
function reportUnlisted(db: Sqlite, clock: Clock): void {
  const query = `select file from recovery_reports where file in ('vault', 'service') and read_at is null
    order by solved_at is null desc, file = 'vault' desc`
  const file = db.prepare(query).pluck().get() as 'vault' | 'service' | undefined
  if (file === undefined) return
  reportRecovery(db, clock, currentCause(db, file), [lostItem('list', 'list')])
}

interface Settling {
  readonly named: ReadonlySet<RecoveryKind>
  readonly isUnlisted: boolean
  readonly incomplete: ReadonlySet<string> | null
}

function settleTables(db: Sqlite, { named, isUnlisted, incomplete }: Settling): void {
  const isServiceWhole =
    db.prepare(`select 1 from recovery_reports where file = 'service' and read_at is null and solved_at is null`).get() ===
    undefined
  const isWhole = (table: string): boolean => (incomplete === null ? isServiceWhole : !incomplete.has(table))
  const reports = isUnlisted ? unreadOf : unsettledOf
  const drop = db.prepare(`delete from recovery_items where kind = ? and subject_id = ? and report_id in ${reports}`)
  for (const [table, kind] of Object.entries(kindsOfMany))
    if (!isUnlisted || isWhole(tableOfService(table))) drop.run(kind, table)
  if (isUnlisted) return
  const found = db.prepare(
    `update recovery_items set is_recovered = 1 where kind = ? and subject_id = ? and report_id in ${reports}`,
  )
  for (const [table, kind] of Object.entries(kindsOfOne)) (named.has(kind) ? drop : found).run(kind, table)
}

const tableOfService = (table: string): string => (table === 'segments' ? 'transcripts' : table)
