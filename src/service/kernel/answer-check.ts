import type { z } from 'zod'
import type { Log } from '#base/log.ts'
import { commonFailures, type Route } from '#contract/rest/route.ts'
import type { AppError } from '#contract/errors.ts'
import { pointerTo } from './problem.ts'

export class ContractBreach extends Error {
  override readonly name = 'ContractBreach'
  readonly status: number
  readonly pointers: string

  constructor(operation: string, status: number, pointers = '') {
    super(
      pointers === ''
        ? `${operation} answers ${status}, which is not declared`
        : `${operation} ${status} does not fit at ${pointers}`,
    )
    this.status = status
    this.pointers = pointers
  }
}

/** Drops undeclared fields. From a page it also drops invalid records and logs their ids. @throws ContractBreach */
export function checkAnswer(operation: string, route: Route, status: number, data: unknown, { log }: { readonly log: Log }) {
  const schema = route.answers[status]
  if (schema === undefined) throw new ContractBreach(operation, status)
  if (schema === null) return undefined
  const first = schema.safeParse(data)
  if (first.success) return first.data
  const unfit = recordsAt(data, first.error.issues)
  const second = unfit === null ? first : schema.safeParse({ ...unfit.page, data: unfit.left })
  if (!second.success)
    throw new ContractBreach(operation, status, second.error.issues.map(({ path }) => pointerTo(path)).join(' '))
  for (const id of unfit?.ids ?? []) log.error('contract.record', { operation, id })
  return second.data
}

function recordsAt(page: unknown, issues: readonly z.core.$ZodIssue[]) {
  const { data } = (page ?? {}) as { data?: unknown }
  const at = new Set(issues.map(({ path }) => (path[0] === 'data' ? path[1] : undefined)))
  if (!Array.isArray(data) || !('next_cursor' in (page as object)) || at.has(undefined)) return null
  const ids = [...at].map((index) => (data[index as number] as { id?: unknown } | null)?.id)
  if (!ids.every((id) => typeof id === 'string')) return null
  return { page: page as object, ids, left: data.filter((_, index) => !at.has(index)) }
}

export function isDeclaredFailure(route: Route, error: AppError): boolean {
  return [...route.failures, ...commonFailures].some((code) => code === error.code)
}
