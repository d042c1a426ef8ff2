import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Long enough for the app to know which of two voices asks the questions. */
const said: readonly (readonly [question: string, answer: string])[] = [
  ['How have you been since we last met?', 'I had a better week than the last one.'],
  ['What was different for you?', 'I slept about six hours most nights.'],
  ['How did you get to sleep?', 'I stopped reading the news in bed.'],
  ['Did you keep your sleep diary?', 'Yes. I wrote in my diary every evening.'],
  ['How were your mornings before work?', 'I felt nervous on Monday.'],
  ['What did you notice in your body?', 'My heart was racing in the parking lot.'],
  ['What did you do then?', 'I used the breathing exercise and I went inside.'],
  ['How was that for you?', 'I was proud of myself.'],
  ['What would you have done a month ago?', 'I would have called in sick.'],
  ['Can you keep your diary next week?', 'I can do that.'],
  ['Would you like to meet at the same time?', 'I would like that.'],
]

export interface TwoVoices {
  readonly address: string
  close(): void
}

/** An OpenAI-compatible server that hears the same conversation in any audio and tells its speakers apart. */
export async function startTwoVoices(): Promise<TwoVoices> {
  const server = createServer((request, response) => {
    const send = (body: unknown): void =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    request.resume().on('end', () => {
      if (request.method === 'GET') return send({ object: 'list', data: [{ id: 'scripted', object: 'model' }] })
      const segments = said.flat().map((text, id) => ({ id, speaker: id % 2, text, start: id * 0.3, end: id * 0.3 + 0.25 }))
      send({ task: 'transcribe', language: 'english', duration: 7, text: said.flat().join(' '), segments })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => void server.close(),
  }
}
