/** As WHATWG HTML, 9.2.6 writes it. */
export interface ServerEvent {
  readonly event?: string
  readonly id?: string
  readonly data?: unknown
  /** Milliseconds before a lost line is tried again. */
  readonly retry?: number
  /** Read by nobody: keeps the line open. */
  readonly comment?: string
}

const headers = {
  'Content-Type': 'text/event-stream',
  // Else nginx gathers them.
  'X-Accel-Buffering': 'no',
  // A line that is kept for another call would hold up a service that closes.
  Connection: 'close',
}

/**
 * Events as they come, until there are no more, the other end is gone, or the service closes. What goes wrong in
 * between ends the stream; its reader comes back and is told. `over` is called once it ended, however it did.
 */
export function eventStream(
  { closing, over }: { readonly closing: AbortSignal; readonly over: () => void },
  events: (signal: AbortSignal) => AsyncGenerator<ServerEvent>,
): Response {
  const gone = new AbortController()
  const running = events(AbortSignal.any([closing, gone.signal]))
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await running.next().catch(() => null)
      if (next !== null && !next.done) return controller.enqueue(encoder.encode(written(next.value)))
      over()
      controller.close()
    },
    cancel: () => {
      gone.abort()
      over()
    },
  })
  return new Response(body, { headers })
}

function written({ comment, retry, event, id, data }: ServerEvent): string {
  const lines = [
    ...(comment === undefined ? [] : [`: ${comment}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    // JSON has no line breaks of its own.
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ]
  return `${lines.join('\n')}\n\n`
}
