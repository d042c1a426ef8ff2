/**
 * Signs the note of a recorded session and kills itself at the given operation on a file after that
 * (`node audio-after-signing-child.ts FOLDER NUMBER`). Prints the session and the recording, and `signed` if it was not killed.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { exit } from 'node:process'
import { killAtOperation } from './vault/kill-at-operation.ts'

const [folder, number] = process.argv.slice(2) as [string, string]
const print = writeSync
const { count } = killAtOperation(Number(number))
const { clientWithSession, coreKit, createProfile } = await import('./core-kit.ts')
const { fileKeychain } = await import('./file-keychain.ts')
const { looked } = await import('./looked.ts')
const { format, recordOf } = await import('./recordings/recording-kit.ts')

const kit = coreKit({ folder: join(folder, 'profile') })
const open = await kit.open({ keychain: fileKeychain(join(folder, 'keychain.json')) })
await createProfile(open)
await open.call('settings.update', { transcribe_when_finished: false })
const { session } = await clientWithSession(open)
const session_id = session.id
const { recording_id } = await open.call('recordings.start', { session_id, window_id: 'window-1', format, device_label: '' })
for (let sequence = 0; sequence < 5; sequence += 1) kit.append.append({ recording_id, ...recordOf(sequence) })
await open.call('recordings.finish', { recording_id })
await open.call('notes.draft', { session_id, template: 'soap' })
await open.settled()
const { note } = await open.call('notes.get', { session_id })
const { id, version } = await open.call('notes.save', { id: note!.id, version: note!.version, ...looked(note!) })
await open.settled()
print(1, `${session_id} ${recording_id} `)
count()
await open.call('notes.sign', { id, version })
await open.until(async () => (await open.call('recordings.get', { session_id }))?.state === 'erased')
print(1, 'signed')
exit(0)
