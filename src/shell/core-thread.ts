/** The thread that opens the records. Locking the records ends this thread and starts a new one without keys. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '#base/clock.ts'
import { openLog } from '#base/log-file.ts'
import { systemNetwork } from '#base/metered-network.ts'
import { proxyRules, trustSystemCertificates, useProxies } from '#base/practice-network.ts'
import { openCore, type ServiceFactory } from '#core/app/open-core.ts'
import type { AppendPort } from '#core/recordings/append-service.ts'
import { systemKeychain } from '#base/keychain.ts'
import type { CoreThreadData } from './core-threads.ts'
import { forkedEngines } from '#engines/engine-host.ts'
import { openService } from '#service/compose/open-service.ts'
import { relayedEngines } from './engine-relay.ts'
import { createRpc, Moved } from './rpc.ts'

if (parentPort === null) throw new Error('core-thread runs as a worker')

const data = workerData as CoreThreadData
const log = openLog(data.folder, 'core')
trustSystemCertificates(log)
const host = createRpc(parentPort, {
  call: async ({ name, input }: { name: string; input: unknown }) => (await core).call(name, input),
  state: async () => (await core).state(),
  media: async ({ method, url, headers }: MediaQuestion) => {
    const response = await (await core).media(new Request(url, { method, headers }))
    const answer = { status: response.status, headers: [...response.headers], body: response.body }
    return new Moved(answer, response.body === null ? [] : [response.body])
  },
  close: async () => (await core).close(),
})
const proxyFor = proxyRules(data.resolves_proxy ? { resolveProxy } : {})
useProxies(proxyFor, log)
const engines = data.engines === null ? forkedEngines() : relayedEngines(data.engines)

const openEmbedded: ServiceFactory = ({ file, key, audio, speech, language, onRepaired }) =>
  openService({
    store: { kind: 'sqlite', file, key, repair: { clock: systemClock, onRepaired } },
    audio,
    speech,
    language,
    clock: systemClock,
    log,
    engines,
    models: { resources: data.resources, tuning: { proxyFor } },
    consentPolicy: 'enforced',
    caller: 'embedded',
  })

const core = openCore({
  folder: data.folder,
  resources: data.resources,
  clock: systemClock,
  log,
  keychain: systemKeychain(),
  emit: (name, payload) => parentPort?.postMessage({ kind: 'event', name, payload }),
  append: appendPort(data.append),
  openService: openEmbedded,
  fetch: globalThis.fetch,
  network: systemNetwork(process.platform, systemClock),
  shell: data.shell,
  app_version: data.app_version,
  is_packaged: data.is_packaged,
  platform: process.platform,
  system_locale: data.system_locale,
  start_locked: data.start_locked,
})

interface MediaQuestion {
  readonly method: string
  readonly url: string
  readonly headers: [string, string][]
}

function appendPort(port: MessagePort): AppendPort {
  const rpc = createRpc(port, {})
  const ask = (name: string) => (input?: unknown) => rpc.call(name, input)
  return { open: ask('open'), gap: ask('gap'), attach: ask('attach'), close: ask('close'), status: ask('status') } as AppendPort
}

async function resolveProxy(address: string): Promise<string> {
  return (await host.call('resolve-proxy', { address })) as string
}
