import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import type { Migration, Named } from '#base/migrate.ts'
import type { VaultPorts } from '#core/vault/vault.ts'
import { AppError } from '#contract/errors.ts'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import type { MemoryKeychain } from '#test/support/memory-keychain.ts'

export const passphrase = 'four quiet grey herons'

const people: Named<Migration> = {
  name: '0001-people',
  version: 1,
  up: (database) => database.exec('create table person (id integer primary key, name text not null) strict'),
}
export const colours: Named<Migration> = {
  name: '0002-colours',
  version: 2,
  up: (database) => database.exec("alter table person add column colour text not null default 'grey'"),
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-vault-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function vaultPorts(folder = temporaryFolder()): VaultPorts & { keychain: MemoryKeychain } {
  return { folder, keychain: memoryKeychain(), clock: systemClock, log: silentLog, migrations: [people] }
}

/** The code of the expected failure; anything else fails the test. */
export async function codeOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'none'
}
