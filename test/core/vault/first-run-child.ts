import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { fileKeychain } from './file-keychain.ts'

/**
 * A first run that kills itself at the given operation on a file (`node first-run-child.ts FOLDER KEYCHAIN NUMBER`).
 * SQLite's own writes are not counted; they stand between two of ours.
 */
const [folder, keychainFile, number] = process.argv.slice(2) as [string, string, string]
let operations = 0

const call =
  <Input extends unknown[], Output>(inner: (...input: Input) => Output) =>
  (...input: Input): Output => {
    if (++operations === Number(number)) process.kill(process.pid, 'SIGKILL')
    return inner(...input)
  }

const names = ['mkdirSync', 'openSync', 'writeSync', 'fsyncSync', 'closeSync', 'renameSync'] as const
Object.assign(fs, Object.fromEntries(names.map((name) => [name, call(fs[name] as (...input: unknown[]) => unknown)])))
syncBuiltinESMExports()

const { createVault } = await import('#core/vault/vault.ts')
const ports = { folder, keychain: fileKeychain(keychainFile), clock: systemClock, log: silentLog, migrations: [] }
operations = 0
const { vault } = await createVault(ports, { protection: 'keychain' })
vault.close()
process.stdout.write('made')
