export type DayQuota = NonNullable<ReturnType<typeof quotaOf>>

type Item = { readonly name: string; readonly parameters: ReadonlyMap<string, number> }

/**
 * Quota from `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). Of several policies, the one with the
 * longest window counts as daily.
 */
export function quotaOf(headers: Headers) {
  const now = headers.get('ratelimit')
  if (now === null) return null
  const policies = new Map(items(headers.get('ratelimit-policy') ?? '').map(({ name, parameters }) => [name, parameters]))
  const windowOf = ({ name }: Item): number => policies.get(name)?.get('w') ?? 0
  const [longest] = items(now)
    .filter(({ parameters }) => parameters.has('r'))
    .toSorted((left, right) => windowOf(right) - windowOf(left))
  if (longest === undefined) return null
  return {
    limit: policies.get(longest.name)?.get('q') ?? null,
    remaining: longest.parameters.get('r')!,
    resetSeconds: longest.parameters.get('t') ?? null,
  }
}

/** Seconds from `Retry-After` or until used-up quotas reset. A date is compared with `Date`: the local clock may be wrong. */
export function retrySecondsOf(headers: Headers): number | undefined {
  const said = headers.get('retry-after')?.trim()
  if (said !== undefined && /^\d{1,9}$/.test(said)) return Number(said)
  if (said !== undefined) {
    const seconds = Math.ceil((Date.parse(said) - Date.parse(headers.get('date') ?? '')) / 1000)
    if (Number.isFinite(seconds)) return Math.max(0, seconds)
  }
  const usedUp = items(headers.get('ratelimit') ?? '').filter(({ parameters }) => parameters.get('r') === 0)
  const resets = usedUp.flatMap(({ parameters }) => parameters.get('t') ?? [])
  return resets.length === 0 ? undefined : Math.max(...resets)
}

/** List member of a structured field (RFC 9651): a string or token with parameters. */
const member =
  /\s*(?:"((?:[^"\\]|\\.)*)"|([A-Za-z*][\w!#$%&'*+.^`|~:/-]*))((?:\s*;\s*[a-z*][\w.*-]*(?:=(?:"(?:[^"\\]|\\.)*"|[^;,\s]*))?)*)\s*(?:,|$)/y
const parameter = /;\s*([a-z*][\w.*-]*)=(\d{1,15})(?=\s*(?:;|$))/g

function items(field: string): Item[] {
  const found: Item[] = []
  member.lastIndex = 0
  while (member.lastIndex < field.length) {
    const match = member.exec(field)
    if (match === null) return []
    const numbers = [...match[3]!.matchAll(parameter)].map(([, name, value]) => [name!, Number(value)] as const)
    found.push({ name: match[1] ?? match[2]!, parameters: new Map(numbers) })
  }
  return found
}
