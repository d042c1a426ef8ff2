import { chromium } from '@playwright/test'
import { launchOptions } from './chromium.ts'

/** Opus packets of 20 ms as the recorder makes them: constant rate, mono, by a real browser's encoder. */
export async function opusPackets(samples: Int16Array): Promise<Buffer[]> {
  const browser = await chromium.launch(await launchOptions())
  try {
    const page = await browser.newPage()
    // Encoders are there in secure contexts alone.
    await page.route('http://localhost/', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
    await page.goto('http://localhost/')
    const sound = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64')
    const packets = await page.evaluate(encode, sound)
    return packets.map((packet) => Buffer.from(packet, 'base64'))
  } finally {
    await browser.close()
  }
}

/** Runs in the page. */
async function encode(sound: string): Promise<string[]> {
  const samples = new Int16Array(Uint8Array.from(atob(sound), (letter) => letter.codePointAt(0)!).buffer)
  const packets: string[] = []
  let failure: Error | null = null
  const encoder = new AudioEncoder({
    output(chunk) {
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      packets.push(btoa(String.fromCodePoint(...bytes)))
    },
    error: (error) => {
      failure = error
    },
  })
  const rate = 16_000
  encoder.configure({ codec: 'opus', sampleRate: rate, numberOfChannels: 1, bitrate: 28_000, bitrateMode: 'constant' })
  for (let at = 0; at < samples.length; at += rate / 5) {
    const data = samples.slice(at, at + rate / 5)
    const timestamp = (at / rate) * 1e6
    encoder.encode(
      new AudioData({ format: 's16', sampleRate: rate, numberOfChannels: 1, numberOfFrames: data.length, timestamp, data }),
    )
  }
  await encoder.flush()
  if (failure !== null) throw failure as Error
  return packets
}
