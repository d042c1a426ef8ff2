import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import type { Service } from '#service/compose/open-service.ts'
import { openService } from '#service/compose/open-service.ts'
import { audioStoreOf } from '#service/operate/copy.ts'
import { openPlace } from '#service/operate/place.ts'
import { readSettings } from '#service/operate/read-settings.ts'
import { findCommand } from '#service/operate/run.ts'
import { inPractice } from '#service/store/in-practice.ts'
import type { StoreOptions } from '#service/store/open-store.ts'
import { openStore } from '#service/store/open-store.ts'
import type { Write } from '#service/store/tables.ts'
import { freshFolder } from '../alone-kit.ts'
import { freshStore } from '../store-kit.ts'
import type { StoreKind } from '../store-kit.ts'

export interface NodeAnswer {
  readonly status: number
  readonly body: {
    readonly id: string
    readonly data: { id: string }[]
    readonly next_cursor: string
    readonly [name: string]: unknown
  }
  readonly headers: Headers
}

/** A separate service and store, as an operator runs them. */
export interface Node {
  readonly data: string
  readonly ownerKey: string
  readonly store: StoreOptions
  command(words: string[], flags?: string[]): Promise<{ code: number; said: string }>
  ask(key: string, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<NodeAnswer>
  write<Result>(practice: string, work: (write: Write) => Promise<Result>): Promise<Result>
  /** As whoever runs the database sees it. */
  look<Row>(query: string): Promise<Row[]>
  /** Ends the service; commands go on. */
  stop(): Promise<void>
  remove(): Promise<void>
}

export async function startNode(kind: StoreKind): Promise<Node> {
  const folder = freshFolder()
  const fresh = kind === 'postgres' ? await freshStore(kind) : null
  const environment = fresh?.options.kind === 'postgres' ? { DATABASE_URL: fresh.options.url } : {}
  const settings = (flags: readonly string[] = []) => {
    const read = readSettings(['--data', folder.data, '--key-store', 'file', ...flags], environment)
    if (read.settings === null) throw new Error(read.mistakes.join())
    return read.settings
  }
  const { store } = await openPlace(settings(), silentLog)
  const service: Service = await openService({
    store: { ...store, key: Buffer.from(store.key) },
    audio: null,
    speech: () => null,
    clock: systemClock,
    log: silentLog,
    consentPolicy: 'asserted',
    caller: 'api-keys',
    plan: 'enterprise',
    models: { folder: `${folder.data}/models` },
    blobs: audioStoreOf(settings(), folder.data),
  })
  let isStopped = false
  /** A call that was answered has ended its write, so that a second connection in this thread need not wait. */
  const settled = async (): Promise<void> => {
    if (!isStopped) await ask(service.ownerKey!, 'GET', '')
  }
  return {
    data: folder.data,
    ownerKey: service.ownerKey!,
    store,
    async command(words, flags) {
      await settled()
      const said: string[] = []
      const code = await findCommand(words)(settings(flags), silentLog, (line) => said.push(line))
      return { code, said: said.join('\n') }
    },
    ask,
    async write(practice, work) {
      await settled()
      const db = await openStore(store)
      try {
        return await inPractice(db, practice, work)
      } finally {
        await db.destroy()
      }
    },
    look: (query) => {
      if (fresh === null) throw new Error('only a node on PostgreSQL can be looked into')
      return fresh.ask(query)
    },
    stop,
    async remove() {
      await stop()
      await fresh?.remove()
      folder.remove()
    },
  }

  async function stop(): Promise<void> {
    if (!isStopped) await service.close()
    isStopped = true
  }

  async function ask(key: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const isBytes = body instanceof Uint8Array
    const request = new Request(`http://x/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined || isBytes ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
    } as RequestInit)
    const answer = await service.fetch(request)
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as NodeAnswer['body'], headers: answer.headers }
  }
}
