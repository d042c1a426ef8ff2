import { createHash } from 'node:crypto'
import { type Clock, timestamp } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'

/** Ids and codes only: no names, texts, or field values. */
export interface AuditEntry {
  readonly action: string
  readonly subject_id: string
  readonly client_id?: string | null
  readonly outcome?: string
}

type AuditRow = Required<AuditEntry> & Readonly<Record<'at' | 'previous_hash' | 'hash', string>> & { readonly sequence: number }

export type Audit = ReturnType<typeof createAudit>

const firstHash = '0'.repeat(64)

/** A hash chain shows changed or removed entries, unless they are removed from the end or the chain is recomputed. */
export function createAudit(db: Sqlite, clock: Clock) {
  const last = db.prepare('select sequence, hash from audit order by sequence desc limit 1')
  const insert = db.prepare(`
    insert into audit (sequence, at, action, subject_id, client_id, outcome, previous_hash, hash)
    values (@sequence, @at, @action, @subject_id, @client_id, @outcome, @previous_hash, @hash)`)
  const all = db.prepare(`
    select sequence, at, action, subject_id, client_id, outcome, previous_hash, hash from audit order by sequence`)

  return {
    append(entry: AuditEntry, at = timestamp(clock)): void {
      const before = last.get() as Pick<AuditRow, 'sequence' | 'hash'> | undefined
      const row = {
        sequence: (before?.sequence ?? 0) + 1,
        at,
        action: entry.action,
        subject_id: entry.subject_id,
        client_id: entry.client_id ?? null,
        outcome: entry.outcome ?? 'done',
        previous_hash: before?.hash ?? firstHash,
      }
      insert.run({ ...row, hash: hashOf(row) })
    },
    lastDone(actions: readonly string[]): { readonly action: string; readonly at: string } | null {
      const found = db
        .prepare(
          "select action, at from audit where outcome = 'done' and action in (select value from json_each(?)) order by sequence desc limit 1",
        )
        .get(JSON.stringify(actions))
      return (found as Pick<AuditRow, 'action' | 'at'> | undefined) ?? null
    },
    verify(): number | null {
      let previous = { sequence: 0, hash: firstHash }
      for (const row of all.iterate() as IterableIterator<AuditRow>) {
        if (row.sequence !== previous.sequence + 1 || row.previous_hash !== previous.hash || row.hash !== hashOf(row)) {
          return row.sequence
        }
        previous = row
      }
      return null
    },
  }
}

function hashOf(row: Omit<AuditRow, 'hash'>): string {
  const fields = [row.sequence, row.at, row.action, row.subject_id, row.client_id, row.outcome, row.previous_hash]
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}
