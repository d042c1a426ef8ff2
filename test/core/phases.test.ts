import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '#core/vault/migrations.ts'
import { openVault } from '#core/vault/vault.ts'
import type { MemoryKeychain } from '#test/support/memory-keychain.ts'
import { heldClock } from './recordings/recording-kit.ts'
import { clientWithSession, coreKit, createProfile, noService, therapist } from './core-kit.ts'

const passphrase = 'four quiet grey herons'

function kit(options: Parameters<typeof coreKit>[0] = {}) {
  const made = coreKit(options)
  onTestFinished(() => made.remove())
  return { ...made, open: (overrides = {}) => made.open({ openService: noService, ...overrides }) }
}

test('with a passphrase the records ask for it at every start, and a wrong one changes nothing', async () => {
  const { open } = kit()
  const first = await open()
  const { recovery_code } = await first.call('vault.create', { ...therapist, protection: 'passphrase', passphrase })
  await clientWithSession(first)
  await first.core.close()

  const second = await open()
  expect(second.core.state()).toMatchObject({ phase: 'locked', protection: 'passphrase' })
  await expect(second.call('clients.list', {})).rejects.toMatchObject({ code: 'vault-locked' })
  expect((await second.core.media(new Request('http://core/exports/x'))).status).toBe(423)
  await expect(second.call('vault.unlock', { passphrase: 'not the right words' })).rejects.toMatchObject({
    code: 'wrong-passphrase',
  })
  expect(second.core.state().phase).toBe('locked')
  await second.call('vault.unlock', { passphrase })
  expect(await second.call('clients.list', {})).toHaveLength(1)
  await second.call('vault.lock', {})
  expect(second.core.state()).toMatchObject({ phase: 'locked', recording_id: null })
  await expect(second.call('vault.unlock', { recovery_code: 'wrong' })).rejects.toMatchObject({ code: 'wrong-recovery-code' })
  await second.call('vault.unlock', { recovery_code })
  expect(await second.call('settings.get', {})).toMatchObject({
    therapist_name: therapist.therapist_name,
    therapist_credential: 'LMFT',
  })
  await second.core.close()
})

test('a keychain that is locked is a trouble with a way out, and no key is made in its place', async () => {
  const { open, ports } = kit()
  const keychain = ports.keychain as MemoryKeychain
  const first = await open()
  await createProfile(first)
  await first.core.close()
  keychain.trouble = 'keychain-locked'
  const second = await open()
  expect(second.core.state()).toMatchObject({ phase: 'trouble', trouble: 'keychain-locked' })
  await expect(second.call('vault.create', therapist)).rejects.toMatchObject({ code: 'vault-exists' })
  keychain.trouble = null
  await second.call('vault.retry', {})
  expect(second.core.state()).toMatchObject({ phase: 'ready', trouble: null })
  await second.core.close()
})

test('locked on purpose, it stays locked until somebody opens it, though the keychain could', async () => {
  const { open } = kit()
  const first = await open()
  await createProfile(first)
  await first.core.close()
  const second = await open({ start_locked: true })
  expect(second.core.state()).toMatchObject({ phase: 'locked', protection: 'keychain' })
  await second.call('vault.retry', {})
  expect(second.core.state().phase).toBe('ready')
  await second.core.close()
})

test('a database of which the key opens nothing is a trouble of its own', async () => {
  const { open, folder } = kit()
  const first = await open()
  await createProfile(first)
  await first.core.close()
  writeFileSync(join(folder, 'vault.db'), Buffer.alloc(8192, 7))
  const second = await open()
  expect(second.core.state()).toMatchObject({ phase: 'trouble', trouble: 'keys-mismatch' })
  await second.core.close()
})

test('a recording goes on while the records are locked, and is there again after', async () => {
  const { open, append } = kit()
  const opened = await open()
  await createProfile(opened)
  const { session } = await clientWithSession(opened)
  const format = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 28_000, pre_skip: 312 } as const
  const { recording_id } = await opened.call('recordings.start', {
    session_id: session.id,
    window_id: 'window-1',
    format,
    device_label: 'Mic',
  })
  await opened.call('vault.lock', {})
  expect(opened.core.state()).toMatchObject({ phase: 'locked', recording_id })
  expect(append.status().map((state) => state.recording_id)).toEqual([recording_id])
  await opened.call('vault.retry', {})
  expect(opened.core.state()).toMatchObject({ phase: 'ready', recording_id })
  expect(await opened.call('recordings.active', {})).toMatchObject({
    recording: { id: recording_id },
    client_name: 'Marisol Vega',
  })
  await opened.core.close()
})

test('under the lock a recording whose window is gone is not shown as running', async () => {
  const clock = heldClock()
  const { open, append } = kit({ clock })
  const opened = await open()
  await createProfile(opened)
  const { session } = await clientWithSession(opened)
  const format = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 28_000, pre_skip: 312 } as const
  await opened.call('recordings.start', { session_id: session.id, window_id: 'window-1', format, device_label: 'Mic' })
  clock.pass(20_000)
  await opened.call('vault.lock', {})
  expect(append.status()).toHaveLength(1)
  expect(opened.core.state()).toMatchObject({ phase: 'locked', recording_id: null })
  await opened.core.close()
})

test('every change of phase is broadcast, and what nobody knows is refused without a trace', async () => {
  const { open, events } = kit()
  const opened = await open()
  await createProfile(opened)
  expect(events.filter(({ name }) => name === 'app.changed').map(({ payload }) => (payload as { phase: string }).phase)).toEqual([
    'first_run',
    'ready',
  ])
  expect(await opened.core.call('constructor', {})).toMatchObject({ ok: false, error: { code: 'bad-request' } })
  expect(await opened.core.call('recordings.append', {})).toMatchObject({ ok: false })
  expect((await opened.core.media(new Request('http://core/elsewhere'))).status).toBe(404)
  await opened.core.close()
})

test('nothing of a client stands readable in the profile’s folder', async () => {
  const { open, folder } = kit()
  const opened = await open()
  await createProfile(opened)
  const { session } = await clientWithSession(opened, 'Zerlina Quast')
  const content = new TextEncoder().encode('Client: The walrus came back at night.')
  await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  const read = () =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(folder, entry.name)).toString('latin1'))
      .join()
  const whileOpen = read()
  await opened.core.close()
  for (const bytes of [whileOpen, read()]) {
    expect(bytes.length).toBeGreaterThan(10_000)
    expect(bytes).not.toMatch(/Zerlina|Quast|walrus|SQLite format 3/)
  }
})

test('a new passphrase and a new recovery code are made with the records open alone, and each attempt is in the audit chain', async () => {
  const { open, ports } = kit()
  const opened = await open()
  const proof = { passphrase }
  await expect(opened.call('vault.newRecoveryCode', { proof })).rejects.toMatchObject({ code: 'vault-locked' })
  const { recovery_code: first } = await opened.call('vault.create', { ...therapist, protection: 'passphrase', passphrase })
  const wrong = { passphrase: 'not the right words' }
  await expect(opened.call('vault.newRecoveryCode', { proof: wrong })).rejects.toMatchObject({ code: 'wrong-passphrase' })
  const { recovery_code } = await opened.call('vault.newRecoveryCode', { proof })
  await opened.call('vault.changePassphrase', { proof: { recovery_code }, passphrase: 'five loud green parrots' })
  await opened.call('vault.lock', {})
  await expect(opened.call('vault.changePassphrase', { proof, passphrase })).rejects.toMatchObject({ code: 'vault-locked' })
  await expect(opened.call('vault.unlock', { recovery_code: first })).rejects.toMatchObject({ code: 'wrong-recovery-code' })
  await expect(opened.call('vault.unlock', { passphrase })).rejects.toMatchObject({ code: 'wrong-passphrase' })
  await opened.call('vault.unlock', { passphrase: 'five loud green parrots' })
  await opened.core.close()
  const vault = await openVault({ ...ports, migrations }, { recovery_code })
  const entries = vault.db.prepare("select action || ' ' || outcome from audit where action like 'access.%'").pluck().all()
  expect(entries).toEqual([
    'access.change-begun done',
    'access.recovery-code-made wrong-passphrase',
    'access.change-begun done',
    'access.recovery-code-made done',
    'access.change-begun done',
    'access.passphrase-changed done',
  ])
  vault.close()
})

test('a new recovery code that the keychain alone vouched for is told apart from a proven one, in the audit and after every start', async () => {
  const { open, ports } = kit()
  const first = await open()
  const recovery_code = await createProfile(first)
  expect(await first.call('vault.recoveryCodeMade', {})).toBeNull()
  const { recovery_code: second } = await first.call('vault.newRecoveryCode', { proof: { recovery_code } })
  expect(await first.call('vault.recoveryCodeMade', {})).toMatchObject({ is_proven: true })
  const refused = first.call('vault.newRecoveryCode', { proof: { recovery_code } })
  await expect(refused).rejects.toMatchObject({ code: 'wrong-recovery-code' })
  await first.call('vault.newRecoveryCode', { proof: null })
  const made = await first.call('vault.recoveryCodeMade', {})
  expect(made).toEqual({ made_at: expect.any(String), is_proven: false })
  await first.call('vault.lock', {})
  await expect(first.call('vault.recoveryCodeMade', {})).rejects.toMatchObject({ code: 'vault-locked' })
  await expect(first.call('vault.unlock', { recovery_code: second })).rejects.toMatchObject({ code: 'wrong-recovery-code' })
  await first.core.close()
  const again = await open()
  expect(await again.call('vault.recoveryCodeMade', {})).toEqual(made)
  await again.core.close()
  const vault = await openVault({ ...ports, migrations })
  const actions = vault.db.prepare("select action from audit where action like 'access.recovery%' and outcome = 'done'").pluck()
  expect(actions.all()).toEqual(['access.recovery-code-made', 'access.recovery-code-made-unproven'])
  vault.close()
})
