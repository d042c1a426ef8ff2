/** An ordered log for tests: lifecycle events, dialogs, page loads, requests that reached the network. */
export interface Entry {
  readonly what: string
  readonly detail: unknown
}

const entries: Entry[] = []
const readers = new Set<(entry: Entry) => void>()

export function record(what: string, detail: unknown = null): void {
  const entry = { what, detail }
  entries.push(entry)
  for (const read of readers) read(entry)
}

export function journal(): readonly Entry[] {
  return entries
}

export function followJournal(read: (entry: Entry) => void): void {
  readers.add(read)
}
