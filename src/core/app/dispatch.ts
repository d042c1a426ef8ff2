import type { z } from 'zod'
import type { Answer, BridgeError } from '#contract/bridge/method.ts'
import { bridgeMethods, type MethodName } from '#contract/bridge/methods.ts'
import { AppError, type FieldProblem } from '#contract/errors.ts'
import { type Log, errorKind } from '#base/log.ts'
import { convert } from '#base/sqlite.ts'

export type AnyHandler = (input: unknown) => unknown

/** An unexpected error is logged without its message, which may hold clinical text. */
export async function dispatch(
  log: Log,
  handlerOf: (name: MethodName) => AnyHandler,
  name: string,
  input: unknown,
): Promise<Answer<unknown>> {
  try {
    if (!isMethod(name)) throw new AppError('bad-request', 'There is no such method.')
    const method = bridgeMethods[name]
    const request = method.input.safeParse(input)
    if (!request.success) throw new AppError('validation-failed', undefined, request.error.issues.map(fieldOf))
    const answer = method.output.safeParse(await handlerOf(name)(request.data))
    if (answer.success) return { ok: true, value: answer.data }
    log.error('bridge.bad-answer', { method: name, at: pointerOf(answer.error.issues[0]?.path ?? []) })
    return { ok: false, error: { code: 'internal' } }
  } catch (error) {
    return { ok: false, error: failureOf(log, name, convert(error)) }
  }
}

const isMethod = (name: string): name is MethodName => Object.hasOwn(bridgeMethods, name)

function failureOf(log: Log, name: string, error: unknown): BridgeError {
  if (!(error instanceof AppError)) {
    log.error('bridge.bug', { method: name, kind: errorKind(error) })
    return { code: 'internal' }
  }
  const { code, detail, fields } = error
  return { code, ...(detail === undefined ? {} : { detail }), ...(fields.length === 0 ? {} : { fields }) }
}

/** Some Zod messages quote the user's input, so all are replaced except those of `custom` and `too_small` issues. */
function fieldOf(issue: z.core.$ZodIssue): FieldProblem {
  const message = issue.code === 'custom' || issue.code === 'too_small' ? issue.message : 'This needs another value.'
  return { pointer: pointerOf(issue.path), code: issue.code, message }
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
