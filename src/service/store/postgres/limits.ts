export const limits = {
  connect: 10_000,
  statement: 30_000,
  idleInTransaction: 30_000,
  /** Client-side timeout for a connection that loses packets without an error. */
  answer: 35_000,
}

export const MAX_CONNECTIONS = 12
