import kinds from './errors.json' with { type: 'json' }

interface ErrorKind {
  /** 460 is from tus 1.0 (checksum mismatch); the others are registered with IANA. */
  readonly status: number
  readonly retryable: boolean
  readonly title: string
}

export type ErrorCode = keyof typeof kinds

export const errorKinds: Readonly<Record<ErrorCode, ErrorKind>> = kinds

/** `pointer` is a JSON Pointer (RFC 6901). */
export interface FieldProblem {
  readonly pointer: string
  readonly code: string
  readonly message: string
}

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly detail: string | undefined
  readonly fields: readonly FieldProblem[]
  readonly retrySeconds: number | undefined

  constructor(
    code: ErrorCode,
    detail?: string,
    fields: readonly FieldProblem[] = [],
    options?: { cause?: unknown; retrySeconds?: number | undefined },
  ) {
    super(detail ?? errorKinds[code].title, options)
    this.code = code
    this.detail = detail
    this.fields = fields
    this.retrySeconds = options?.retrySeconds
  }

  get retryable(): boolean {
    return errorKinds[this.code].retryable
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorKinds, value)
}
