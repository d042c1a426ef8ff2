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
  const { note } = await open.call('notes.get', { session_id: row!.session.id })
  for (const { text } of note?.sections.flatMap(({ statements }) => statements) ?? [])
    expect((await open.call('search.find', { q: text })).notes).toMatchObject([{ session_id: row!.session.id }])
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

test('audio of a note that was signed in an older release stays, even where the client refused, until it is deleted by hand', async () => {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  const old = profiles.find(({ commit }) => commit === few[0])!
  restore(kit.folder, old)
  const made = database(kit.folder, old, 'vault.db')
  made.exec(`
    insert into notes (id, session_id, client_id, template, status, to_check, sections, unsupported, omissions, checks, engine,
      signature, addenda, created_at, updated_at, version)
    select '01930000-0000-7000-8000-00000000a001', id, client_id, 'soap', 'signed', 0, '[]', '[]', '[]', '[]',
      '{"name":"rules","version":"1","model":null}',
      '{"by":"Kim","credential":null,"at":"2026-11-20T10:00:00.000Z","method":"click","content_hash":"${'ab'.repeat(32)}"}', '[]',
      created_at, updated_at, 1 from sessions;
    update consents set text_version = 'read-aloud-2026-2 laptop';
    insert into recordings (id, session_id, state, window_id, device_label, started_at, finished_at, saved_ms, bytes, gaps)
    select '01930000-0000-7000-8000-00000000a002', id, 'finished', '', '', starts_at, starts_at, 1000, 9000, '[]' from sessions;`)
  made.close()
  const keychain = memoryKeychain(new Map([[old.account, Buffer.from(old.data_key, 'hex')]]))
  const open = await kit.open({ keychain })
  const [row] = await open.call('sessions.list', {})
  const session_id = row!.session.id
  await open.settled()
  await open.core.close()
  const again = await kit.open({ keychain })
  const recording = () => again.call('recordings.get', { session_id })
  expect((await again.call('sessions.get', { id: session_id })).note?.status).toBe('signed')
  expect(await again.call('recordings.retention', { session_id })).toEqual({
    plan: { outcome: 'kept', because: 'your-decision' },
    receipt: null,
  })
  expect(await recording()).toMatchObject({ state: 'finished' })
  await again.call('recordings.erase', { recording_id: (await recording())!.id })
  expect((await again.call('recordings.retention', { session_id })).receipt).toMatchObject({ number: 1, reason: 'by-hand' })
  await again.core.close()
})
