import { AppError } from '#contract/errors.ts'

/** This machine, and names that are never looked up (RFC 6761, 6.3 and 6.4). */
const never = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|(?:[\w-]+\.)+invalid)$/i

/**
 * A key, a token or a record is readable to everybody on the way where the line is not encrypted: nothing goes over one,
 * whatever the settings say.
 *
 * @throws AppError `service-unreachable`
 */
export function refusePlainText(address: string): void {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && !never.test(hostname))
    throw new AppError('service-unreachable', 'Only https is allowed, except on this machine.')
}
