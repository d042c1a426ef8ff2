import { onTestFinished } from 'vitest'
import { capabilityOf, type OperationId, routes } from '#contract/rest/routes.ts'
import type { Clock } from '#base/clock.ts'
import type { CorePorts } from '#core/app/open-core.ts'
import type { ClientDraft } from '#contract/model/client.ts'
import { joinPackets } from '#core/recordings/opus-packets.ts'
import { type LimitedService, startLimitedService } from '#test/support/ten-operations.ts'
import { type CoreKit, coreKit, createProfile, noService, type OpenCore } from './core-kit.ts'
import { format, packet } from './recordings/recording-kit.ts'

/** Every capability there is. */
export const everything = [...new Set((Object.keys(routes) as OperationId[]).map(capabilityOf))].filter((name) => name !== null)

export interface TenKit {
  readonly kit: CoreKit
  readonly service: LimitedService
  readonly open: OpenCore
  readonly network: { isUp: boolean }
  /** The app once more, with the same records. */
  start(): Promise<OpenCore>
}

/** An app that works against a service behind a door. */
export async function setUpTen(
  settings: Parameters<typeof startLimitedService>[0] = {},
  ports: Partial<CorePorts> & { readonly clock?: Clock } = {},
): Promise<TenKit> {
  const kit = coreKit(ports.clock === undefined ? {} : { clock: ports.clock })
  const service = await startLimitedService(settings)
  const started: OpenCore[] = []
  const network = { isUp: true }
  const fetch = ((request: Request) =>
    network.isUp ? globalThis.fetch(request) : Promise.reject(new TypeError('offline'))) as typeof globalThis.fetch
  const start = async (): Promise<OpenCore> => {
    const open = await kit.open({ fetch, openService: noService, ...ports })
    started.push(open)
    return open
  }
  onTestFinished(async () => {
    await started.at(-1)?.core.close()
    await service.close()
    kit.remove()
  })
  const open = await start()
  await createProfile(open)
  await open.call('settings.update', { service_address: service.address })
  await open.call('settings.setKey', { which: 'service', key: service.key })
  return { kit, service, open, network, start }
}

/** A client who came from the service and agreed to everything, and a session with them. */
export async function sessionThere({ service, open }: TenKit, more: Partial<ClientDraft> = {}) {
  const client = (await service.inside.call('createClient', { body: { display_name: 'Marisol Vega', ...more } })).data
  // Looks at once, and not at its next turn.
  await open.call('settings.setKey', { which: 'service', key: service.key })
  await open.until(async () => (await open.call('clients.list', {})).some((row) => row.client.id === client.id))
  const consent = await open.call('consents.give', {
    client_id: client.id,
    participant: { name: 'Marisol Vega', role: 'client' },
    scopes: ['record', 'transcribe', 'draft', 'analyze'],
    text_version: '1',
    method: 'spoken',
  })
  const about = { client_id: client.id, session_type: 'individual', duration_minutes: 50 } as const
  const session = await open.call('sessions.create', { ...about, starts_at: '2024-03-04T09:00:00.000Z' })
  return { client, consent, session }
}

/** Sound that takes about 60 kB a second, with a quiet second in every five, recorded through the core. */
export async function recordLoud({ kit }: TenKit, open: OpenCore, sessionId: string, seconds: number): Promise<string> {
  const asked = { session_id: sessionId, window_id: 'window-1', format, device_label: 'Mic' }
  const { recording_id } = await open.call('recordings.start', asked)
  for (let sequence = 0; sequence < seconds * 5; sequence += 1) {
    const packets = joinPackets(Array.from({ length: 10 }, (_, index) => packet(sequence * 10 + index, 1200)))
    kit.append.append({ recording_id, sequence, packets, peak: sequence % 25 < 5 ? 0.01 : 0.5, rms: 0.1 })
  }
  await open.call('recordings.finish', { recording_id })
  return recording_id
}
