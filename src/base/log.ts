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

/** Name and code of an error. Its message may quote clinical text, so it is never logged. */
export function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' ? `${error.name}:${code}` : error.name
}
