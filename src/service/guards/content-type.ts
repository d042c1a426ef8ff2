import { AppError } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Guard } from './variables.ts'

/** tus 1.0, PATCH. */
const octets = 'application/offset+octet-stream'

/** A body is JSON, named as such, where it is not bytes of an upload. */
export function contentType(route: Route): Guard {
  return async (c, next) => {
    const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
    const isBare = type === undefined && c.req.raw.body === null
    if (route.stream === 'in' && type !== undefined && type !== octets)
      throw new AppError('unsupported-media', `The body must be ${octets}.`)
    if (route.body && !isBare && type !== 'application/json')
      throw new AppError('unsupported-media', 'The body must be application/json.')
    await next()
  }
}
