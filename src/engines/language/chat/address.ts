import { AppError } from '#contract/errors.ts'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether what is sent there stays on this machine. */
export function isThisMachine(address: string): boolean {
  return URL.canParse(address) && loopback.test(new URL(address).hostname)
}

/**
 * Words of a session go out encrypted or not at all: https, or http to this machine. Without a slash at the end.
 *
 * @throws AppError `engine-not-ready`
 */
export function safeAddress(address: string): string {
  const refuse = (): AppError =>
    new AppError(
      'engine-not-ready',
      'The address of the model server must begin with https, or be on this machine, and hold no key.',
    )
  if (!URL.canParse(address)) throw refuse()
  const url = new URL(address)
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname))
  if (!isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') throw refuse()
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path === '' ? '/v1' : path}`
}
