import type { OutboxStatus } from '#contract/bridge/library.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import type { Emit } from '#contract/bridge/events.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { IntentKind } from './intents.ts'
import type { Outbox } from './outbox.ts'
import type { Sending } from './sending.ts'
import type { Results } from './store-results.ts'
import { SyncLoop, type Step, type SyncPorts, waitInTime } from './sync-loop.ts'

export type Senders = { readonly [Kind in IntentKind]: (sending: Sending<Kind>) => Promise<Step> }

interface Parts {
  readonly db: Sqlite
  readonly outbox: Outbox
  readonly results: Results
  readonly senders: Senders
  readonly client: () => ServiceClient
  readonly isRemote: () => boolean
  readonly clock: Clock
  readonly log: Log
  readonly emit: Emit
  readonly wait?: SyncPorts['wait']
}

export interface Sync {
  readonly handlers: Handlers<'outbox.list' | 'outbox.status' | 'outbox.retry'>
  start(): void
  stop(): Promise<void>
  /** After the settings changed: what waited for an engine, a key or an address tries again. */
  connectionChanged(): void
  /** Ends what is under way for an intent that was taken out. */
  abandon(intentId: string, operationId: string | null): void
}

const mendedBySettings = [
  'not-offered',
  'client-not-there',
  'template-not-offered',
  'engine-not-ready',
  'engine-failed',
  'unauthenticated',
  'forbidden',
  'service-unreachable',
]

export function createSync(parts: Parts): Sync {
  const { outbox, results, clock, log, emit, client, isRemote } = parts
  const cancel = (operationId: string): void => {
    const cancelling = client().call('cancelOperation', { params: { id: operationId } })
    // It runs to its end for nothing, which is all that is lost.
    cancelling.catch((error: unknown) => log.warn('sync.not-cancelled', { kind: errorKind(error) }))
  }
  const loop = new SyncLoop({
    ...loopPorts(parts, cancel),
    outbox,
    log,
    elapsed: () => clock.elapsed(),
    wait: parts.wait ?? waitInTime,
  })
  const status = (): OutboxStatus => {
    const service = isRemote() ? 'remote' : 'embedded'
    return { ...outbox.counts(), sending: loop.state === 'sending', service, reachable: loop.isReachable }
  }
  outbox.onChange(() => emit('outbox.changed', status()))
  const again = (codes?: readonly string[]): void => {
    for (const intent of outbox.retry(codes)) results.noteWaiting(intent)
    loop.wake()
  }
  return {
    handlers: {
      'outbox.list': () => outbox.list(),
      'outbox.status': status,
      'outbox.retry'() {
        again()
        return status()
      },
    },
    start: () => loop.start(),
    stop: () => loop.stop(),
    connectionChanged: () => again(mendedBySettings),
    abandon(intentId, operationId) {
      loop.abandon(intentId)
      if (operationId !== null) cancel(operationId)
    },
  }
}

function loopPorts(
  { db, outbox, results, senders, client }: Parts,
  cancel: (operationId: string) => void,
): Pick<SyncPorts, 'send' | 'complete' | 'giveUp'> {
  return {
    send(intent, signal) {
      const send = senders[intent.kind] as (sending: Sending<IntentKind>) => Promise<Step>
      return send({ intent, client: client(), options: { idempotencyKey: intent.idempotency_key, signal } })
    },
    complete(intent, step) {
      db.transaction(() => {
        // Taken out while it was under way: its answer is no longer wanted.
        if (outbox.find(intent.id) === null) return
        step.apply()
        outbox.remove(intent.id)
        // The service knows of the agreement only now.
        if (intent.kind === 'give-consent') for (const freed of outbox.retry(['consent-missing'])) results.noteWaiting(freed)
      }).immediate()
    },
    giveUp(intent, code) {
      // What goes on there would be done a second time once it is asked for again.
      const operationId = outbox.find(intent.id)?.operation_id ?? null
      db.transaction(() => {
        outbox.needsYou(intent.id, code)
        results.noteFailure(intent, code)
      }).immediate()
      if (operationId !== null) cancel(operationId)
    },
  }
}
