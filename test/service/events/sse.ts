export interface Told {
  readonly event: string | null
  readonly id: string | null
  readonly data: unknown
}

/** Events of a stream as they come; comments and bare retries aside. Ends when the stream does. */
export async function* told(response: Response): AsyncGenerator<Told> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const field = (name: string): string | null =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null
      const data = field('data')
      if (data !== null) yield { event: field('event'), id: field('id'), data: JSON.parse(data) }
    }
  }
}

export async function take(events: AsyncGenerator<Told>, count: number): Promise<Told[]> {
  const found: Told[] = []
  while (found.length < count) {
    const next = await events.next()
    if (next.done) break
    found.push(next.value)
  }
  return found
}
