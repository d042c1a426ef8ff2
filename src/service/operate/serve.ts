import { join, resolve } from 'node:path'
import { systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { forkedEngines } from '#engines/forked-engines.ts'
import { openService } from '#service/compose/open-service.ts'
import type { Service } from '#service/compose/open-service.ts'
import { audioStoreOf } from './audio-store.ts'
import { lockData } from './data-lock.ts'
import { drain } from './drain.ts'
import { languageOf, payerOf, speechOf } from './engines.ts'
import { frontOf } from './front.ts'
import type { Listener, Tls } from './listen.ts'
import { listen } from './listen.ts'
import { logCall } from './logging.ts'
import { createMetrics } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { openPlace } from './place.ts'
import { resources } from './resources.ts'
import type { Settings } from './settings.ts'

type Say = (line: string) => void

/**
 * Answers calls until it is told to stop. The certificate is read and the port taken before the first practice is made:
 * its owner key is shown once, so nothing that can fail may come between making it and showing it.
 */
export async function serve(settings: Settings, log: Log, say: Say): Promise<void> {
  let service: Service | null = null
  let isDraining = false
  const isReady = async (): Promise<boolean> => service !== null && service.isReady()
  const metrics = createMetrics({
    work: async () => service?.work() ?? [],
    isReady,
    pool: () => service?.connections() ?? null,
    now: systemClock.now,
  })
  const { host, port } = settings
  const tls = tlsOf(settings)
  const front = frontOf({
    service: () => service,
    isReady,
    isDraining: () => isDraining,
    metrics,
    metricsToken: settings.metrics_token ?? null,
    isBehindProxy: settings.behind_proxy,
    isSecure: tls !== null || settings.behind_proxy,
    log,
  })
  const listener = await listen({ fetch: front, host, port, tls })
  const data = resolve(settings.data)
  const lock = settings.database_url === undefined ? lockData(data) : null
  service = await open(settings, log, metrics)
  // Before anybody can know that it is there, and so tell it to stop.
  const stopping = asked(() => (isDraining = true))
  if (service.ownerKey !== null) say(`owner key: ${service.ownerKey}`)
  say(`listening on ${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${listener.port}/v1`)
  log.info('service.listening', { port: listener.port, data })
  process.on('SIGHUP', () => reload(listener, log))
  await stopping
  const [delayMs, limitMs] = [settings.drain_delay * 1000, settings.drain_limit * 1000]
  await drain({ service, listener, delayMs, limitMs, log })
  lock?.release()
}

async function open(settings: Settings, log: Log, metrics: Metrics): Promise<Service> {
  const { data, store, key } = await openPlace(settings, log)
  const speech = speechOf(settings)
  const language = languageOf(settings)
  const payer = payerOf(settings)
  const service = await openService({
    store,
    audio: null,
    speech: () => speech,
    engines: forkedEngines(),
    models: { resources: resources(), folder: join(data, 'models') },
    language: () => language,
    payer: () => payer,
    ...(settings.oauth_issuers === undefined ? {} : { oauth: { issuers: settings.oauth_issuers } }),
    blobs: audioStoreOf(settings, data),
    uploads: { mostBytes: settings.upload_limit * 1024 * 1024 },
    clock: systemClock,
    log,
    consentPolicy: settings.consent,
    caller: 'api-keys',
    ...(settings.plan === undefined ? {} : { plan: settings.plan }),
    observe: (call) => {
      metrics.observe(call)
      logCall(log, call)
    },
  })
  key.fill(0)
  return service
}

function tlsOf({ tls_certificate: certificate, tls_key: key }: Settings): Tls | null {
  return certificate === undefined || key === undefined ? null : { certificate, key }
}

function reload(listener: Listener, log: Log): void {
  try {
    listener.reloadTls()
    log.info('tls.reloaded')
  } catch {
    // It goes on with the certificate it has.
    log.error('tls.unusable')
  }
}

/** SIGTERM or SIGINT; the second one ends it at once, whatever is under way. */
function asked(begun: () => void): Promise<void> {
  return new Promise((stop) => {
    let isAsked = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (isAsked) process.exit(1)
        isAsked = true
        begun()
        stop()
      })
    }
  })
}
