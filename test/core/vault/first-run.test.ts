import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createVault, inspectVault, openVault } from '#core/vault/vault.ts'
import { fileKeychain } from './file-keychain.ts'
import { temporaryFolder, vaultPorts } from './vault-fixture.ts'

/** Every step with AFTERWORD_FAULTS=full, else every ninth: each costs a process. */
const stride = process.env['AFTERWORD_FAULTS'] === 'full' ? 1 : 9
const child = fileURLToPath(new URL('./first-run-child.ts', import.meta.url))

test.skipIf(process.platform === 'win32')(
  'killed at any step, a first run leaves either nothing to lose or a vault that opens, and one key in the keychain',
  async () => {
    const seen = new Set<string>()
    let isMade = false
    for (let number = 1; !isMade; number += stride) {
      const keychainFile = join(temporaryFolder(), 'keychain.json')
      const folder = temporaryFolder()
      const { stdout, signal, stderr } = spawnSync(process.execPath, [child, folder, keychainFile, String(number)])
      isMade = stdout.toString() === 'made'
      expect(signal ?? stderr.toString(), `operation ${number}`).toBe(isMade ? '' : 'SIGKILL')

      const keychain = fileKeychain(keychainFile)
      const ports = { ...vaultPorts(folder), keychain }
      const { phase } = await inspectVault(ports)
      seen.add(phase)
      const vault = phase === 'first_run' ? (await createVault(ports, { protection: 'keychain' })).vault : await openVault(ports)
      vault.db.prepare('insert into person (name) values (?)').run('Theodora')
      vault.close()
      expect(keychain.size(), `operation ${number}`).toBe(1)
      const again = await openVault(ports)
      expect(again.db.prepare('select name from person').pluck().all()).toEqual(['Theodora'])
      again.close()
    }
    expect([...seen].sort()).toEqual(['first_run', 'openable'])
  },
  120_000,
)
