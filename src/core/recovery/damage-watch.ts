import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { AppError } from '#contract/errors.ts'
import { replaceFile } from '#base/durable-file.ts'
import { errorKind } from '#base/log.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import { checkMark, READ_WHOLE_BYTES } from '#base/rebuild-database.ts'
import { convert, openEncrypted, type Sqlite } from '#base/sqlite.ts'

interface Parts extends Pick<RecordParts, 'log' | 'emit'> {
  readonly vault: { readonly path: string; readonly db: Sqlite }
  readonly service: { readonly path: string; readonly key: () => Buffer }
}

/** Reading a large database holds up everything else, so the first screen comes first. */
const START_AFTER_MS = 5000

export function markDamaged(folder: string): void {
  for (const name of ['vault.db', 'service.db']) replaceFile(checkMark(join(folder, name)), '')
}

export type DamageWatch = ReturnType<typeof createDamageWatch>

export function createDamageWatch({ vault, service, log, emit }: Parts) {
  const closing = new AbortController()
  const isStopped = (): boolean => closing.signal.aborted
  let [needsRepair, hasSuspected] = [false, false]
  let running = Promise.resolve()

  async function check(path: string, isWanted: (bytes: number) => boolean, open: () => Sqlite, isShared: boolean): Promise<void> {
    if (isStopped() || !existsSync(path) || !isWanted(statSync(path).size)) return
    if (!(await isDamaged(open, isShared, isStopped))) return
    replaceFile(checkMark(path), '')
    needsRepair = true
    log.warn('database.damaged-in-use', {})
    emit('records.changed', { kinds: ['recovery'] })
  }

  function run(isWanted: (bytes: number) => boolean): void {
    running = running
      .then(() => check(vault.path, isWanted, () => vault.db, true))
      .then(() => check(service.path, isWanted, () => openWith(service), false))
      .catch((error: unknown) => log.warn('database.not-checked', { kind: errorKind(error) }))
  }

  return {
    needsRepair: (): boolean => needsRepair,
    start(): void {
      const check = (): void => run((bytes) => bytes > READ_WHOLE_BYTES)
      wait(START_AFTER_MS, undefined, { ref: false, signal: closing.signal }).then(check, () => {})
    },
    suspect(): void {
      if (hasSuspected) return
      hasSuspected = true
      run(() => true)
    },
    async stop(): Promise<void> {
      closing.abort()
      await running
    },
  }
}

function openWith({ path, key }: Parts['service']): Sqlite {
  const bytes = key()
  try {
    return openEncrypted(path, bytes)
  } finally {
    bytes.fill(0)
  }
}

async function isDamaged(open: () => Sqlite, isShared: boolean, isStopped: () => boolean): Promise<boolean> {
  let db: Sqlite | null = null
  try {
    db = open()
    const tables = db.prepare("select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'").pluck()
    for (const name of tables.all() as string[]) {
      await turn()
      if (isStopped()) return false
      if (db.pragma(`quick_check('${name}')`, { simple: true }) !== 'ok') return true
    }
    return false
  } catch (error) {
    const converted = convert(error)
    if (converted instanceof AppError && converted.code === 'database-damaged') return true
    throw error
  } finally {
    if (!isShared) db?.close()
  }
}
