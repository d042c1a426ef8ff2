import { join } from 'node:path'
import { argv, kill, pid, stdout } from 'node:process'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import type { ServiceFactory } from '#core/app/open-core.ts'
import { clientWithSession, coreKit, createProfile, dialogue, realService } from './core-kit.ts'
import { fileKeychain } from './file-keychain.ts'

/**
 * `node sync-kill-child.ts FOLDER before|after COUNT`: does a therapist's work and writes a line for everything that was
 * acknowledged; kills itself before the so-manieth call reaches the service, or after it was done and before its answer.
 */
const [folder = '', moment = 'before', count = '1'] = argv.slice(2)
let calls = 0

const openService: ServiceFactory = async (options) => {
  const service = await realService(systemClock, silentLog)(options)
  const fetch = async (request: Request): Promise<Response> => {
    const isLast = ++calls === Number(count)
    if (isLast && moment === 'before') kill(pid, 'SIGKILL')
    const response = await service.fetch(request)
    if (isLast) kill(pid, 'SIGKILL')
    return response
  }
  return { ...service, fetch }
}

const acknowledged = (kind: string, id: string): void => void stdout.write(`${kind} ${id}\n`)

const open = await coreKit({ folder: join(folder, 'profile') }).open({
  keychain: fileKeychain(join(folder, 'keychain.json')),
  openService,
})
if (open.core.state().phase === 'first_run') await createProfile(open)
const { client, consent, session } = await clientWithSession(
  open,
  `Client ${count} ${moment}`,
  Date.UTC(2026, 0, 1, (await open.call('sessions.list', {})).length),
)
for (const [kind, id] of [
  ['client', client.id],
  ['consent', consent.id],
  ['session', session.id],
] as const)
  acknowledged(kind, id)
const content = new TextEncoder().encode(dialogue)
const transcript = await open.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
acknowledged('transcript', transcript.id)
await open.call('notes.draft', { session_id: session.id, template: 'soap' })
acknowledged('draft', session.id)
await open.call('clients.update', { id: client.id, version: 1, patch: { phone: '5550100' } })
acknowledged('phone', client.id)
await open.settled()
await open.core.close()
