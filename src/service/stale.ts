import { AppError } from '#contract/errors.ts'

/** 412 carries the record as it stands, so that the caller can merge without asking again. */
export class Stale extends AppError {
  readonly current: unknown

  constructor(current: unknown) {
    super('stale-version')
    this.current = current
  }
}

export const etagOf = (version: number): string => `"${version}"`

/**
 * RFC 9110, 13.1.1: strong comparison.
 *
 * @throws AppError `version-required`, `stale-version`
 */
export function requireVersion(ifMatch: string | null, current: { readonly version: number }): void {
  if (ifMatch === null) throw new AppError('version-required')
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes('*') && !tags.includes(etagOf(current.version))) throw new Stale(current)
}
