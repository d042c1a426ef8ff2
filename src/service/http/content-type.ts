import { AppError } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Guard } from './variables.ts'

/** tus 1.0, PATCH. */
const octets = 'application/offset+octet-stream'

/** A body is JSON, named as such, where it is not bytes of an upload. */
export function contentType(route: Route): Guard {
  return async (c, next) => {
    const [type, ...parameters] = (c.req.header('content-type') ?? '').split(';').map((part) => part.trim().toLowerCase())
    const isBare = type === '' && c.req.raw.body === null
    if (route.stream === 'in' && type !== '' && type !== octets)
      throw new AppError('unsupported-media', `The body must be ${octets}.`)
    if (route.body && !isBare && type !== 'application/json')
      throw new AppError('unsupported-media', 'The body must be application/json.')
    // RFC 8259, 8.1: JSON is UTF-8, whatever else its sender may have named.
    if (route.body && parameters.some((parameter) => /^charset\b/.test(parameter) && !/^charset="?utf-8"?$/.test(parameter)))
      throw new AppError('unsupported-media', 'The body must be UTF-8.')
    await next()
  }
}
