import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { ServiceFactory } from '#core/open-core.ts'
import { openService } from '#service/open-service.ts'

/** The Clinical Documentation Service in this process: no port, no key, on a store beside the vault. */
export function embeddedService({ clock, log }: { clock: Clock; log: Log }): ServiceFactory {
  return ({ file, key, audio, speech }) =>
    openService({
      store: { kind: 'sqlite', file, key },
      audio,
      speech,
      clock,
      log,
      consentPolicy: 'enforced',
      caller: 'embedded',
    })
}
