/** Fields a log line may carry: codes, counts, ids, durations. Never text that a person wrote or said. */
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

/** Writes only lines of this level and above; with `off`, none. */
export function logAt(level: LogLevel, write: (line: string) => void): Log {
  const all = lineLog(write)
  const isTaken = (rank: LogLevel): boolean => ranks[rank] >= ranks[level]
  return {
    info: isTaken('info') ? all.info : silentLog.info,
    warn: isTaken('warn') ? all.warn : silentLog.warn,
    error: isTaken('error') ? all.error : silentLog.error,
  }
}

/** Name and code of an error. Its message may quote clinical text, so it is never logged. */
export function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' ? `${error.name}:${code}` : error.name
}
