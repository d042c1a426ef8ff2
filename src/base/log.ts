/** May contain codes, counts, ids, and durations, but never text that a person wrote or said. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>

export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

export function lineLog(write: (line: string) => void, now: () => number = Date.now): Log {
  const line =
    (level: string) =>
    (event: string, fields: LogFields = {}) =>
      write(JSON.stringify({ at: new Date(now()).toISOString(), level, event, ...fields }))
  return { info: line('info'), warn: line('warn'), error: line('error') }
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} }

export type LogLevel = keyof typeof ranks
const ranks = { info: 0, warn: 1, error: 2, off: 3 } as const

export function logAt(level: LogLevel, write: (line: string) => void): Log {
  const all = lineLog(write)
  const of = (rank: keyof Log) => (ranks[rank] >= ranks[level] ? all : silentLog)[rank]
  return { info: of('info'), warn: of('warn'), error: of('error') }
}

/** The name and code of an error, or the type of another value. Omits the message, which may quote clinical text. */
export function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' ? `${error.name}:${code}` : error.name
}
