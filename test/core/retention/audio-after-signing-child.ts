/**
 * Signs the note of a recorded session and kills itself at the given operation on a file after that
 * (`node audio-after-signing-child.ts FOLDER NUMBER`). Prints the session and the recording, and `deleted` if it was not killed.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { exit } from 'node:process'
import { killAtOperation } from '#test/core/vault/kill-at-operation.ts'

const [folder, number] = process.argv.slice(2) as [string, string]
const print = writeSync
const { count } = killAtOperation(Number(number))
const { coreKit, createProfile } = await import('#test/core/core-kit.ts')
const { fileKeychain } = await import('#test/core/file-keychain.ts')
const { record, reviewed, sessionAsked } = await import('./signing-kit.ts')

const kit = coreKit({ folder: join(folder, 'profile') })
const open = await kit.open({ keychain: fileKeychain(join(folder, 'keychain.json')) })
await createProfile(open)
await open.call('settings.update', { transcribe_when_finished: false })
const { session } = await sessionAsked(open, 'Killed')
const session_id = session.id
const recording_id = await record(kit, open, session_id)
const { id, version } = await reviewed(open, session_id)
await open.settled()
print(1, `${session_id} ${recording_id} `)
count()
await open.call('notes.sign', { id, version, deletes_audio: true })
await open.until(async () => (await open.call('recordings.get', { session_id }))?.state === 'erased')
print(1, 'deleted')
exit(0)
