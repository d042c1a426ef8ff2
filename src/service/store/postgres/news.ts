import pg from 'pg'
import { limits } from './limits.ts'

/** What the processes of one store tell each other; lost where a connection is, so whoever waits looks again too. */
export interface News {
  listen(listener: (text: string) => void): void
  close(): Promise<void>
}

/** One channel per database. */
export const channel = 'afterword'
/** Milliseconds before a lost connection is tried again. */
const AGAIN_MS = 1000

/**
 * A connection of its own that hears news and, as long as it lives, holds `lock`: whoever can take the lock knows that
 * this process is gone.
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
    // What ends it is told by its end.
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
