import { expect, test } from 'vitest'
import { readEvents, type ServerEvent } from '#client/answer.ts'

async function read(pieces: readonly string[]): Promise<(readonly ServerEvent[])[]> {
  const encoder = new TextEncoder()
  const bytes = pieces.map((piece) => encoder.encode(piece))
  const seen: (readonly ServerEvent[])[] = []
  for await (const events of readEvents(new Blob(bytes).stream())) seen.push(events)
  return seen
}

const stream =
  'retry: 2000\nevent: here\nid: 3\ndata: {"cursor":"3"}\n\n: still here\n\nid: 4\r\nevent: change\r\ndata: a: é\r\ndata: b\r\n\r\nevent: cut'

test('events are the same however the bytes come apart; a comment is none, and what is cut off is not told', async () => {
  const whole = [
    { event: 'here', id: '3', data: '{"cursor":"3"}' },
    { event: 'change', id: '4', data: 'a: é\nb' },
  ]
  expect((await read([stream])).flat()).toEqual(whole)
  const bytes = new TextEncoder().encode(stream)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const seen: ServerEvent[] = []
  for await (const events of readEvents(body)) seen.push(...events)
  expect(seen).toEqual(whole)
})
