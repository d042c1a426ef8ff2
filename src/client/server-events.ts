/** One server-sent event (WHATWG HTML, 9.2.6); keep-alive comments are not events. */
export interface ServerEvent {
  readonly event: string
  readonly id: string | null
  readonly data: string
}

/** Yields batches of events until the server closes the stream. Leaving the loop closes the connection. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly ServerEvent[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true })
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    yield blocks.flatMap((block) => eventIn(block) ?? [])
  }
}

function eventIn(block: string): ServerEvent | null {
  const fields = block.split(/\r?\n/).map((line): [string, string] => {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    return [name, value]
  })
  const data = fields.filter(([name]) => name === 'data').map(([, value]) => value)
  if (data.length === 0) return null
  const last = (name: string): string | null => fields.findLast(([field]) => field === name)?.[1] ?? null
  return { event: last('event') ?? 'message', id: last('id'), data: data.join('\n') }
}
