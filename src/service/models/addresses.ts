import { AppError } from '#contract/errors.ts'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const isHere = (address: URL): boolean => loopback.test(address.hostname)

/** Encrypted, or not leaving this machine. */
export function isSafe(address: URL): boolean {
  return address.protocol === 'https:' || (address.protocol === 'http:' && isHere(address))
}

/** A source elsewhere sends nobody to this machine: what listens here takes such a question for the person's own. */
export function mayFollow(first: URL, next: URL): boolean {
  return isSafe(next) && (!isHere(next) || isHere(first))
}

/**
 * Where a file of a source is fetched from: a mirror takes the place of scheme, host and port, and stands before the path.
 *
 * @throws AppError `validation-failed` where the mirror is not encrypted and not on this machine
 */
export function mirrored(address: string, mirror: string | null): string {
  if (mirror === null) return address
  const { pathname, search } = new URL(address)
  return `${checkMirror(mirror)}${pathname}${search}`
}

/** @throws AppError `validation-failed` */
export function checkMirror(mirror: string): string {
  const url = new URL(mirror)
  const refuse = (code: string, message: string) =>
    new AppError('validation-failed', message, [{ pointer: '/mirror', code, message }])
  if (!isSafe(url)) throw refuse('not-encrypted', 'A mirror is reached by https, except on this machine.')
  if (url.username !== '' || url.password !== '') throw refuse('credentials', 'Keys do not belong into the address.')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
