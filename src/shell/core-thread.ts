/** Runs the core with its vault and the embedded service. Ending this thread removes all its keys from memory. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type Clock, systemClock } from '#base/clock.ts'
import { openLog } from '#base/log-file.ts'
import { systemNetwork } from '#base/metered-network.ts'
import { type ProxyFor, proxyRules, trustSystemCertificates, useProxies } from '#base/practice-network.ts'
import { openCore, type ServiceFactory } from '#core/app/open-core.ts'
import type { AppendPort } from '#core/recordings/append-service.ts'
import { systemKeychain } from '#base/keychain.ts'
import type { CoreThreadData } from './core-threads.ts'
import { forkedEngines, type EngineHost } from '#engines/engine-host.ts'
import type { Log } from '#base/log.ts'
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

const core = openCore({
  folder: data.folder,
  resources: data.resources,
  clock: systemClock,
  log,
  keychain: systemKeychain(),
  emit: (name, payload) => parentPort?.postMessage({ kind: 'event', name, payload }),
  append: appendPort(data.append),
  openService: embeddedService({
    clock: systemClock,
    log,
    resources: data.resources,
    engines: data.engines === null ? forkedEngines() : relayedEngines(data.engines),
    proxyFor,
  }),
  fetch: globalThis.fetch,
  network: systemNetwork(process.platform, systemClock),
  shell: data.shell,
  app_version: data.app_version,
  is_packaged: data.is_packaged,
  platform: process.platform,
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

interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  readonly resources?: string
  readonly engines?: EngineHost
  readonly proxyFor?: ProxyFor
}

/** The Clinical Documentation Service in this process. It has no port and no API key; its store is next to the vault. */
function embeddedService({ clock, log, resources, engines, proxyFor }: Surroundings): ServiceFactory {
  return ({ file, key, audio, speech, language, onRepaired }) =>
    openService({
      store: { kind: 'sqlite', file, key, repair: { clock, onRepaired } },
      audio,
      speech,
      language,
      clock,
      log,
      ...(engines === undefined ? {} : { engines }),
      models: { ...(resources === undefined ? {} : { resources }), ...(proxyFor === undefined ? {} : { tuning: { proxyFor } }) },
      consentPolicy: 'enforced',
      caller: 'embedded',
    })
}
