import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { memoryKeychain } from '#test/support/memory-keychain.ts'
import { killAtOperation } from './kill-at-operation.ts'

/** Changes a passphrase and kills itself at the given operation on a file (`node change-access-child.ts FOLDER OLD NEW NUMBER`). */
const [folder, old, next, number] = process.argv.slice(2) as [string, string, string, string]
const { count } = killAtOperation(Number(number))
const { changePassphrase } = await import('#core/vault/change-access.ts')
const ports = { folder, keychain: memoryKeychain(), clock: systemClock, log: silentLog, migrations: [] }
count()
await changePassphrase(ports, { passphrase: old }, next)
process.stdout.write('changed')
