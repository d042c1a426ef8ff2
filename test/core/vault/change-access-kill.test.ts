import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { changePassphrase } from '#core/vault/change-access.ts'
import { createVault, openVault } from '#core/vault/vault.ts'
import { codeOf, passphrase, temporaryFolder, vaultPorts } from './vault-fixture.ts'

const copies = ['vault.json', 'vault.json.bak', 'recordings/keys.json'] as const
const next = 'five loud green parrots'
const child = fileURLToPath(new URL('./change-access-child.ts', import.meta.url))
/** Every step with AFTERWORD_FAULTS=full, else every ninth: each costs a process. */
const stride = process.env['AFTERWORD_FAULTS'] === 'full' ? 1 : 9

async function made(): Promise<string> {
  const ports = vaultPorts()
  ;(await createVault(ports, { protection: 'passphrase', passphrase })).vault.close()
  return ports.folder
}

function copyOf(folder: string): string {
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

const opens = async (folder: string, tried: string): Promise<boolean> => {
  const code = await codeOf(async () => (await openVault(vaultPorts(folder), { passphrase: tried })).close())
  if (code !== 'none') expect(code).toBe('wrong-passphrase')
  return code === 'none'
}

/** Each attempt runs on its own copy, so that one does not repair what the other finds. */
async function whichOpens(folder: string, about: string): Promise<'old' | 'new'> {
  const [old, fresh] = [await opens(copyOf(folder), passphrase), await opens(copyOf(folder), next)]
  expect([old, fresh].filter(Boolean), about).toHaveLength(1)
  expect(await opens(folder, old ? passphrase : next), about).toBe(true)
  expect(new Set(copies.map((name) => readFileSync(join(folder, name), 'utf8'))).size, about).toBe(1)
  for (const name of copies) {
    const alone = copyOf(folder)
    for (const other of copies) if (other !== name) rmSync(join(alone, other))
    expect(await opens(alone, old ? next : passphrase), `${about}, ${name} alone`).toBe(false)
  }
  return old ? 'old' : 'new'
}

test.skipIf(process.platform === 'win32')(
  'killed at any step of a change, exactly one of the old and the new passphrase opens the records, and then by every copy',
  async () => {
    const whole = await made()
    const seen = new Set<string>()
    let isChanged = false
    for (let number = 1; !isChanged; number += stride) {
      const folder = copyOf(whole)
      const { stdout, signal, stderr } = spawnSync(process.execPath, [child, folder, passphrase, next, String(number)])
      isChanged = stdout.toString() === 'changed'
      expect(signal ?? stderr.toString(), `operation ${number}`).toBe(isChanged ? '' : 'SIGKILL')
      seen.add(await whichOpens(folder, `operation ${number}`))
    }
    expect([...seen].toSorted()).toEqual(['new', 'old'])
  },
  300_000,
)

describe('copies of which only some were reached', () => {
  test.each([[[0]], [[0, 1]], [[2]]])('%s of three: the new passphrase alone opens the records', async (reached) => {
    const [folder, changed] = [await made(), temporaryFolder()]
    cpSync(folder, changed, { recursive: true })
    await changePassphrase(vaultPorts(changed), { passphrase }, next)
    for (const index of reached) cpSync(join(changed, copies[index]!), join(folder, copies[index]!))
    expect(await whichOpens(folder, String(reached))).toBe('new')
  })
})
