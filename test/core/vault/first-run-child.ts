import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { fileKeychain } from './file-keychain.ts'
import { killAtOperation } from './kill-at-operation.ts'

/** A first run that kills itself at the given operation on a file (`node first-run-child.ts FOLDER KEYCHAIN NUMBER`). */
const [folder, keychainFile, number] = process.argv.slice(2) as [string, string, string]
const { count } = killAtOperation(Number(number))
const { createVault } = await import('#core/vault/vault.ts')
const ports = { folder, keychain: fileKeychain(keychainFile), clock: systemClock, log: silentLog, migrations: [] }
count()
const { vault } = await createVault(ports, { protection: 'keychain' })
vault.close()
process.stdout.write('made')
