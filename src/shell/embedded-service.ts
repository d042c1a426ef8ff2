import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { ProxyFor } from '#base/proxy.ts'
import type { ServiceFactory } from '#core/app/open-core.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import { openService } from '#service/compose/open-service.ts'

interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  /** What is delivered with the app. */
  readonly resources?: string
  readonly engines?: EngineHost
  readonly proxyFor?: ProxyFor
}

/** The Clinical Documentation Service in this process: no port, no key, on a store beside the vault. */
export function embeddedService({ clock, log, resources, engines, proxyFor }: Surroundings): ServiceFactory {
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
