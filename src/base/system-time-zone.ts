/**
 * The system's time zone now. A process keeps the zone of its start until TZ is assigned or deleted: then Node asks the
 * system again, and dates of this thread follow too. A worker needs `env: SHARE_ENV` for that. It takes about 10 µs.
 */
export function systemTimeZone(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment['TZ'] === undefined) delete environment['TZ']
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
