import pg from 'pg'
import { limits } from './open.ts'

/**
 * Notifications between the processes of one store (LISTEN/NOTIFY). They are lost with a connection, so receivers also poll.
 */
export interface News {
  listen(listener: (text: string) => void): void
  close(): Promise<void>
}

export const channel = 'afterword'
const AGAIN_MS = 1000

/**
 * Opens a connection that listens and holds the advisory lock `lock`. Another process can take the lock only after this
 * connection ends.
 */
export async function openNews(url: string, lock: string): Promise<News> {
  let listener: (text: string) => void = () => {}
  let isClosed = false
  let client = await connect()
  return {
    listen: (given) => {
      listener = given
    },
    close: async () => {
      isClosed = true
      await client.end().catch(() => {})
    },
  }

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'afterword news',
      connectionTimeoutMillis: limits.connect,
      keepAlive: true,
    })
    // The `end` event handles lost connections; without a listener, `error` would end the process.
    fresh.on('error', () => {})
    fresh.on('notification', ({ payload }) => listener(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`listen ${channel}`)
      await fresh.query('select pg_try_advisory_lock(hashtextextended($1, 0))', [lock])
    } catch (error) {
      await fresh.end().catch(() => {})
      throw error
    }
    fresh.once('end', () => void reconnect())
    return fresh
  }

  async function reconnect(): Promise<void> {
    while (!isClosed) {
      try {
        client = await connect()
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref())
      }
    }
  }
}
