import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openEncrypted } from '#base/sqlite.ts'
import { migrations as vaultMigrations } from '#core/vault/migrations.ts'
import { vaultKeys } from '#core/keys/vault-keys.ts'
import { migrations as storeMigrations } from '#service/store/migrations.ts'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import { coreKit, isOnPostgres } from '../core-kit.ts'

/** Made by the code of that commit: see test/fixtures/profiles/README.md. */
interface OldProfile {
  readonly commit: string
  readonly steps: string
  readonly account: string
  readonly data_key: string
  readonly envelope: string
  /** Statements that make the databases as they were. */
  readonly vault: readonly string[]
  readonly service: readonly string[]
}

const file = join(import.meta.dirname, '../../fixtures/profiles/profiles.json.gz')
const profiles = JSON.parse(gunzipSync(readFileSync(file)).toString()) as readonly OldProfile[]

const databases = [
  ['vault.db', vaultMigrations],
  ['service.db', storeMigrations],
] as const

function database(folder: string, { data_key, envelope }: OldProfile, name: string) {
  const { profile_id } = JSON.parse(envelope) as { profile_id: string }
  return openEncrypted(join(folder, name), vaultKeys(Buffer.from(data_key, 'hex'), profile_id).derive(name))
}

function restore(folder: string, old: OldProfile): void {
  for (const name of ['vault.json', 'vault.json.bak']) writeFileSync(join(folder, name), old.envelope)
  for (const [name] of databases) {
    const made = database(folder, old, name)
    made.pragma('foreign_keys = off')
    for (const statement of name === 'vault.db' ? old.vault : old.service) made.exec(statement)
    made.close()
  }
}

/** A schema that lacks steps below its newest, one of the day when that happened to the vault, and the newest. */
const few = ['13f18c80', 'c87413b1', '41374c3f']
const opened = profiles.filter(({ commit }) => process.env['AFTERWORD_FAULTS'] === 'full' || few.includes(commit))

// Old profiles hold SQLite files, which PostgreSQL can't open.
test.skipIf(isOnPostgres).each(opened)('a profile of commit $commit ($steps) opens with what it had, and again', async (old) => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  restore(kit.folder, old)
  const keychain = memoryKeychain(new Map([[old.account, Buffer.from(old.data_key, 'hex')]]))
  const open = await kit.open({ keychain })
  expect(open.core.state()).toMatchObject({ phase: 'ready', trouble: null })
  const namesIn = async (opened: typeof open) =>
    (await opened.call('clients.list', {})).map(({ client }) => client.display_name).toSorted()
  expect(await namesIn(open)).toEqual(['Maren Voss'])
  const [row] = await open.call('sessions.list', {})
  const transcript = await open.call('transcripts.get', { session_id: row!.session.id })
  expect(JSON.stringify(transcript)).toContain('the breathing exercise')
  await open.call('clients.create', { display_name: 'Ida Lund' })
  await open.settled()
  await open.core.close()
  for (const [name, migrations] of databases) {
    const made = database(kit.folder, old, name)
    const recorded = made.prepare('select name from schema_steps order by name').pluck().all()
    made.close()
    expect(recorded).toEqual(migrations.map((step) => step.name))
  }
  const again = await kit.open({ keychain })
  expect(await namesIn(again)).toEqual(['Ida Lund', 'Maren Voss'])
  await again.core.close()
})
