import Database from 'better-sqlite3'
import pg from 'pg'
import { vi } from 'vitest'

interface Queries {
  /** The texts sent since the last call of this. */
  taken(): string[]
  stop(): void
}

/** Every statement this process sends to SQLite or PostgreSQL; pg-boss's own are left out. */
export function countQueries(): Queries {
  let texts: string[] = []
  const memory = new Database(':memory:')
  type Runs = Record<'all' | 'run' | 'get', (this: { source: string }, ...values: unknown[]) => unknown>
  const statement = Object.getPrototypeOf(memory.prepare('select 1')) as Runs
  memory.close()
  const real = { all: statement.all, run: statement.run, get: statement.get }
  for (const method of ['all', 'run', 'get'] as const)
    statement[method] = function counted(...values) {
      texts.push(this.source)
      return real[method].apply(this, values)
    }
  const asked = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function counted(this: unknown, ...args: unknown[]) {
    const [query] = args as [string | { text: string }]
    const text = typeof query === 'string' ? query : query.text
    if (!/afterword_jobs/.test(text)) texts.push(text)
    return asked.apply(this, args)
  } as never)
  return {
    taken: () => {
      const found = texts
      texts = []
      return found
    },
    stop: () => {
      Object.assign(statement, real)
      spy.mockRestore()
    },
  }
}
