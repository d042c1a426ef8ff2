import { AppError } from '#contract/errors.ts'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * An address sound or records may be sent to: https, or http to this machine alone; no name or password in it. Written
 * without a slash at the end, and with `/v1`, or what is said instead, where no path is given.
 *
 * @throws AppError `validation-failed`
 */
export function checkAddress(address: string, pointer: string, ownPath = '/v1'): string {
  const url = new URL(address)
  const refuse = (code: string, message: string) => new AppError('validation-failed', message, [{ pointer, code, message }])
  if (url.username !== '' || url.password !== '') throw refuse('credentials', 'Keys do not belong into the address.')
  if (url.protocol !== 'https:' && !loopback.test(url.hostname))
    throw refuse('not-encrypted', 'Only https is allowed, except on this machine.')
  if (url.search !== '' || url.hash !== '') throw refuse('not-a-base', 'The address ends before any ? or #.')
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path === '' ? ownPath : path}`
}
