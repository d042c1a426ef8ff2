import type { Log } from '#base/log.ts'
import { lineLog, silentLog } from '#base/log.ts'
import type { ObservedCall } from '#service/http/request.ts'
import type { Settings } from './settings.ts'

const ranks = { info: 0, warn: 1, error: 2, off: 3 } as const

export function logAt(level: Settings['log_level'], write: (line: string) => void): Log {
  const all = lineLog(write)
  const taken = (rank: keyof typeof ranks): boolean => ranks[rank] >= ranks[level]
  return {
    info: taken('info') ? all.info : silentLog.info,
    warn: taken('warn') ? all.warn : silentLog.warn,
    error: taken('error') ? all.error : silentLog.error,
  }
}

/** Logs one line per call, never a path, query, body or name. */
export function logCall(log: Log, { operation, status, duration_ms, request_id, practice, code }: ObservedCall): void {
  log.info('call', { operation, status, duration_ms: Math.round(duration_ms * 100) / 100, request_id, practice, code })
}
