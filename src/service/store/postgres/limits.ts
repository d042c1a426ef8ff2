/** Milliseconds. Nobody waits for the database without an end. */
export const limits = {
  connect: 10_000,
  statement: 30_000,
  idleInTransaction: 30_000,
  /** Where not even the end of a statement is heard of: a line that swallows everything. */
  answer: 35_000,
}

/** Connections of one process to its records. */
export const MAX_CONNECTIONS = 12
