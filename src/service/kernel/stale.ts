import { AppError } from '#contract/errors.ts'

/**
 * Answers 412 with the current record, so that the caller can merge without another call. `current` is null if there is no
 * record.
 */
export class Stale extends AppError {
  readonly current: unknown
  readonly etag: string | null

  constructor(current: unknown) {
    const version = versionOf(current)
    const etag = version === null ? null : etagOf(version)
    super('stale-version', etag === null ? noRecord : `${changedSince} \`If-Match: ${etag}\`.`)
    this.current = current
    this.etag = etag
  }
}

const noRecord = 'There is no record with this id yet. Nothing was changed. Leave out `If-Match` to create the record.'
const changedSince =
  'The record is not at the version in `If-Match`. Nothing was changed. Apply your change to `current`, then send it with'

function versionOf(current: unknown): number | null {
  if (typeof current !== 'object' || current === null || !('version' in current)) return null
  return typeof current.version === 'number' ? current.version : null
}

/** RFC 9110, 8.8.3: entity tags are quoted. Versions are strong tags, so a weak tag never matches. */
const entityTags = /^\s*(\*|"[^"]*"(\s*,\s*"[^"]*")*)\s*$/

/** @throws AppError `bad-request` for an `If-Match` that can never match */
export function requireEntityTag(ifMatch: string | undefined): void {
  if (ifMatch !== undefined && !entityTags.test(ifMatch))
    throw new AppError(
      'bad-request',
      '`If-Match` is the version in double quotes, for example `If-Match: "3"`, without `W/`. Send the `ETag` of the answer you read.',
    )
}

export const etagOf = (version: number): string => `"${version}"`

/** RFC 9110, 13.1.1: strong comparison. @throws AppError `version-required`, `stale-version` */
export function requireVersion(ifMatch: string | null, current: { readonly version: number }): void {
  if (ifMatch === null) throw new AppError('version-required')
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes('*') && !tags.includes(etagOf(current.version))) throw new Stale(current)
}
