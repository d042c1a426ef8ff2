import { errorKind } from '#base/log.ts'
import { AppError, isErrorCode } from '#contract/errors.ts'

export interface Endpoint {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void
  on(event: 'message', listener: (message: unknown) => void): unknown
}
type Transferable = import('node:worker_threads').Transferable | ReadableStream

type Handler = (input: never) => unknown
export type RpcHandlers = Readonly<Record<string, Handler>>

export class Moved {
  readonly value: unknown
  readonly transfer: readonly Transferable[]
  constructor(value: unknown, transfer: readonly Transferable[]) {
    this.value = value
    this.transfer = transfer
  }
}

interface Question {
  readonly kind: 'question'
  readonly id: number
  readonly name: string
  readonly input: unknown
}
interface Answer {
  readonly kind: 'answer'
  readonly id: number
  readonly value: unknown
  readonly error?: Failure
}
type Failure = ReturnType<typeof pack>

export type Rpc = ReturnType<typeof createRpc>

export function createRpc(endpoint: Endpoint, handlers: RpcHandlers) {
  const open = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>()
  let last = 0
  let isAbandoned = false

  const answer = async (question: Question): Promise<void> => {
    try {
      const handler = handlers[question.name]
      if (handler === undefined) throw new Error(`no handler for ${question.name}`)
      const value = await handler(question.input as never)
      if (value instanceof Moved) endpoint.postMessage({ kind: 'answer', id: question.id, value: value.value }, value.transfer)
      else endpoint.postMessage({ kind: 'answer', id: question.id, value })
    } catch (error) {
      endpoint.postMessage({ kind: 'answer', id: question.id, value: null, error: pack(error) })
    }
  }

  endpoint.on('message', (raw) => {
    const message = raw as Question | Answer
    if (message.kind === 'question') {
      void answer(message)
      return
    }
    if (message.kind !== 'answer') return
    const waiting = open.get(message.id)
    open.delete(message.id)
    if (message.error === undefined) waiting?.resolve(message.value)
    else waiting?.reject(unpack(message.error))
  })

  return {
    call(name: string, input: unknown, transfer?: readonly Transferable[]): Promise<unknown> {
      if (isAbandoned) return Promise.reject(new AppError('vault-locked'))
      last += 1
      const id = last
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject })
        endpoint.postMessage({ kind: 'question', id, name, input } satisfies Question, transfer)
      })
    },
    abandon(): void {
      isAbandoned = true
      for (const { reject } of open.values()) reject(new AppError('vault-locked'))
      open.clear()
    },
  }
}

function pack(error: unknown) {
  const kind = errorKind(error)
  if (error instanceof AppError) return { code: error.code, message: error.detail ?? '', kind }
  return { code: null, message: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown', kind }
}

function unpack(failure: Failure): Error {
  if (isErrorCode(failure.code)) return new AppError(failure.code, failure.message === '' ? undefined : failure.message)
  return Object.assign(new Error(failure.message), { name: failure.kind })
}
