import { AppError } from '#contract/errors.ts'

/** No record with this id is accessible. The id is used to find the request field and is never sent back. */
export class NotFound extends AppError {
  readonly id: string

  constructor(id: string) {
    super('not-found')
    this.id = id
  }
}

interface Input {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

export function namingTheField(error: AppError, input: Input | undefined): AppError {
  if (!(error instanceof NotFound)) return error
  const places = [
    ['path parameter', input?.params],
    ['query parameter', input?.query],
    ['field', input?.body],
  ] as const
  for (const [place, value] of places) {
    const path = pathTo(value, error.id)
    if (path !== null) return notFoundAt(place, path)
  }
  return error
}

export function notFoundAt(place: 'path parameter' | 'query parameter' | 'field', path: readonly PropertyKey[]): AppError {
  const message = `No record has the id in the ${place} \`${path.join('.')}\`.`
  return new AppError('not-found', message, [{ pointer: pointerTo(path), code: 'not_found', message }])
}

function pathTo(value: unknown, id: string): PropertyKey[] | null {
  if (value === id) return []
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const path = pathTo(inner, id)
    if (path !== null) return [name, ...path]
  }
  return null
}

/** RFC 6901. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
