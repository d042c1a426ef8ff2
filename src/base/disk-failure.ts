import { AppError } from '#contract/errors.ts'

/** SQLITE_IOERR_SHMSIZE: the WAL index (-shm file) could not grow. */
const full = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])
const failed = new Set(['EIO', 'EROFS', 'EACCES', 'EPERM', 'ENODEV', 'ENXIO', 'EMFILE', 'ENFILE'])
const failedInSqlite = /^SQLITE_(IOERR|CANTOPEN|READONLY|PERM)/

export function diskFailure(error: unknown): AppError | null {
  if (error instanceof AppError) return null
  const code = codeOf(error)
  if (full.has(code)) return new AppError('disk-full', undefined, [], { cause: error })
  if (failed.has(code) || failedInSqlite.test(code)) return new AppError('disk-failed', undefined, [], { cause: error })
  return null
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}
