import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { vaultOf } from './damage-kit.ts'
import { type CoreKit, coreKit, createProfile, type OpenCore, therapist } from '../core-kit.ts'

const copies = ['vault.json', 'vault.json.bak', 'recordings/keys.json'] as const

/** A profile whose recovery code was changed, and its copies of the keys from before. */
async function changed() {
  const kit = coreKit()
  const before = mkdtempSync(join(tmpdir(), 'afterword-keys-'))
  onTestFinished(() => {
    kit.remove()
    rmSync(before, { recursive: true, force: true })
  })
  const open = await kit.open()
  const old = await createProfile(open)
  for (const name of copies) cpSync(join(kit.folder, name), join(before, name))
  const { recovery_code: fresh } = await open.call('vault.newRecoveryCode', { proof: null })
  await open.core.close()
  const putBack = (name: string): void => cpSync(join(before, name), join(kit.folder, name))
  return { kit, before, old, fresh, putBack }
}

const reportsOf = async (open: OpenCore) =>
  (await open.call('recovery.reports', {})).map(({ file, cause, set_aside }) => ({ file, cause, set_aside }))

async function opensBy({ core, call }: OpenCore, recovery_code: string): Promise<boolean> {
  await call('vault.lock', {})
  await call('vault.unlock', { recovery_code }).catch(() => {})
  return core.state().phase === 'ready'
}

const textOf = ({ folder }: CoreKit, name: string): string => readFileSync(join(folder, name), 'utf8')

test('with every copy older than the records, the newest comes back out of the records, and the report says so', async () => {
  const { kit, old, fresh, putBack } = await changed()
  const newest = textOf(kit, 'vault.json')
  for (const name of copies) putBack(name)
  const open = await kit.open()
  expect(open.core.state().phase).toBe('ready')
  for (const name of copies) expect(textOf(kit, name)).toBe(newest)
  expect(await reportsOf(open)).toEqual([{ file: 'keys', cause: 'behind', set_aside: [] }])
  expect(await opensBy(open, old)).toBe(false)
  expect(await opensBy(open, fresh)).toBe(true)
  await open.core.close()
})

test('with every copy older, the old recovery code opens the records once, and never again', async () => {
  const { kit, old, fresh, putBack } = await changed()
  for (const name of copies) putBack(name)
  const open = await kit.open({ start_locked: true })
  await open.call('vault.unlock', { recovery_code: old })
  expect(await reportsOf(open)).toHaveLength(1)
  expect(await opensBy(open, old)).toBe(false)
  expect(await opensBy(open, fresh)).toBe(true)
  await open.core.close()
})

test('killed before the records had the new keys, the files count', async () => {
  const { kit, before, old, fresh } = await changed()
  const newest = textOf(kit, 'vault.json')
  const vault = await vaultOf(kit)
  vault.prepare('update wrapped_keys set envelope = ?').run(readFileSync(join(before, 'vault.json'), 'utf8'))
  vault.close()
  const open = await kit.open()
  expect(await reportsOf(open)).toEqual([])
  for (const name of copies) expect(textOf(kit, name)).toBe(newest)
  expect([await opensBy(open, old), await opensBy(open, fresh)]).toEqual([false, true])
  await open.core.close()
})

test('an older vault.json put back is reported; one that a kill left behind beside it is not', async () => {
  const { kit, putBack } = await changed()
  putBack('vault.json.bak')
  putBack('recordings/keys.json')
  let open = await kit.open()
  expect(await reportsOf(open)).toEqual([])
  await open.core.close()
  putBack('vault.json')
  open = await kit.open()
  expect(await reportsOf(open)).toEqual([{ file: 'keys', cause: 'behind', set_aside: [] }])
  await open.core.close()
})

test('copies that were set aside are named in the report, also where a kill came in between', async () => {
  const { kit } = await changed()
  writeFileSync(join(kit.folder, 'vault.json'), 'half a fi')
  renameSync(join(kit.folder, 'recordings/keys.json'), join(kit.folder, 'recordings/keys.json.damaged-2026-01-01T00-00-00'))
  let open = await kit.open()
  const reports = await reportsOf(open)
  expect(reports).toEqual([
    { file: 'keys', cause: 'damaged', set_aside: [expect.any(String), 'recordings/keys.json.damaged-2026-01-01T00-00-00'] },
  ])
  expect(textOf(kit, reports[0]!.set_aside[0]!)).toBe('half a fi')
  for (const { id } of await open.call('recovery.reports', {})) await open.call('recovery.markRead', { id })
  await open.core.close()
  open = await kit.open()
  expect(await reportsOf(open)).toEqual([])
  await open.core.close()
})

test.each([
  ['vault.json is gone, and the others are from before the change', ['vault.json.bak', 'recordings/keys.json'], []],
  ['only a copy from before the change was put back', ['vault.json'], ['vault.json.bak', 'recordings/keys.json']],
])('where %s, the lock screen says so, and the earlier passphrase opens the records', async (_, old, gone) => {
  const [first, second] = ['four quiet grey herons', 'five loud green parrots']
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  let open = await kit.open()
  await open.call('vault.create', { ...therapist, protection: 'passphrase', passphrase: first })
  const before = textOf(kit, 'vault.json')
  await open.call('vault.changePassphrase', { proof: { passphrase: first }, passphrase: second })
  await open.core.close()
  open = await kit.open()
  expect(open.core.state()).toMatchObject({ phase: 'locked', keys_may_be_older: false })
  await open.core.close()

  rmSync(join(kit.folder, 'vault.json'))
  for (const name of gone) rmSync(join(kit.folder, name))
  for (const name of old) writeFileSync(join(kit.folder, name), before)
  open = await kit.open()
  expect(open.core.state()).toMatchObject({ phase: 'locked', keys_may_be_older: true })
  await expect(open.call('vault.unlock', { passphrase: second })).rejects.toMatchObject({ code: 'wrong-passphrase' })
  await open.call('vault.unlock', { passphrase: first })
  expect(open.core.state()).toMatchObject({ phase: 'ready', keys_may_be_older: false })
  expect(await reportsOf(open)).toEqual([{ file: 'keys', cause: 'behind', set_aside: [] }])
  await open.core.close()
})
