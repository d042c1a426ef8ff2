import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import type { Conflict } from '#contract/bridge/conflicts.ts'
import { openService } from '#service/compose/open-service.ts'
import { type CoreKit, coreKit, createProfile, noService, type OpenCore } from '../core-kit.ts'

export interface TestLaptop extends OpenCore {
  readonly kit: CoreKit
  /** Nothing gets through while it is false. */
  isOnline: boolean
  /** Goes before each request: what others do at that very moment. */
  before: (request: Request) => Promise<unknown>
  conflicts(): Promise<Conflict[]>
  /** The one question there is. */
  conflict<Kind extends Conflict['kind']>(kind: Kind): Promise<Extract<Conflict, { kind: Kind }>>
  /** Nothing is left to send but what somebody has to decide. */
  sent(): Promise<void>
}

/** A practice's service and the laptops of its people; lines can be cut. */
export async function practice() {
  const office = coreKit()
  const service = await openService({
    store: { kind: 'sqlite', file: join(office.folder, 'practice.db'), key: randomBytes(32) },
    audio: null,
    speech: () => null,
    clock: systemClock,
    log: silentLog,
    consentPolicy: 'enforced',
    caller: 'api-keys',
    plan: 'enterprise',
  })
  const service_address = 'https://practice.example/v1'
  const token = service.ownerKey!
  const there: ServiceClient = createServiceClient({
    base_url: service_address,
    token,
    fetch: (request) => service.fetch(request),
  })
  const open: TestLaptop[] = []
  const close = async (): Promise<void> => {
    for (const laptop of open) await laptop.core.close()
    await service.close()
    for (const { kit } of open) kit.remove()
    office.remove()
  }
  const laptop = async (): Promise<TestLaptop> => {
    const kit = coreKit({ clock: fast })
    const line: Pick<TestLaptop, 'isOnline' | 'before'> = { isOnline: true, before: () => Promise.resolve() }
    const fetch = (async (request: Request) => {
      if (!line.isOnline) throw new TypeError('offline')
      await line.before(request)
      return service.fetch(request)
    }) as typeof globalThis.fetch
    const core = await kit.open({ fetch, openService: noService, wait: quickly })
    await createProfile(core)
    await core.call('settings.update', { service_address })
    await core.call('settings.setKey', { which: 'service', key: token })
    const conflicts = (): Promise<Conflict[]> => core.call('conflicts.list', {})
    const made = Object.assign(core, {
      kit,
      ...line,
      conflicts,
      async conflict(kind: Conflict['kind']) {
        const [found, ...more] = (await conflicts()).filter((one) => one.kind === kind)
        if (found === undefined || more.length > 0) throw new Error(`${more.length + (found ? 1 : 0)} questions of this kind`)
        return found as never
      },
      sent: () => core.settled(),
    })
    for (const name of ['isOnline', 'before'] as const)
      Object.defineProperty(made, name, {
        get: () => line[name],
        set(value: never) {
          line[name] = value
        },
      })
    open.push(made)
    return made
  }
  return { laptop, there, service, close }
}

/** Waits are as long as they are asked for, but a hundred times as fast. */
const fast = { now: () => Date.now(), elapsed: () => performance.now() * 100 }

function quickly(ms: number | null, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = ms === null ? undefined : setTimeout(resolve, ms / 100)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
