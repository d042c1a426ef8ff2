import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AppState } from '#contract/bridge/app.ts'
import type { Emit } from '#contract/bridge/events.ts'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import type { ServiceFactory } from '#core/app/open-core.ts'
import { openService } from '#service/compose/open-service.ts'
import type { InstalledModels } from '#engines/speech/port.ts'
import { wavBytes } from '#test/service/sound.ts'
import { scriptedEngine } from '#test/support/scripted-engine.ts'
import { coreKit, createProfile } from './core-kit.ts'

const wav = Uint8Array.from(wavBytes(new Int16Array(16_000).map((_, at) => Math.sin(at / 10) * 8000)))

/** The app with an engine that has begun to read a voice, and never gets on with it. */
async function readingVoice() {
  const kit = coreKit()
  onTestFinished(() => kit.remove())
  const model = join(kit.folder, 'voices.onnx')
  writeFileSync(model, 'a model')
  const none = (): null => null
  const installed: InstalledModels = {
    speech: none,
    vad: none,
    denoiser: none,
    segmentation: () => model,
    embedding: () => model,
  }
  const engine = scriptedEngine()
  const factory: ServiceFactory = ({ file, key, audio, speech, language }) =>
    openService({
      store: { kind: 'sqlite', file, key },
      audio,
      speech,
      language,
      clock: systemClock,
      log: silentLog,
      consentPolicy: 'enforced',
      caller: 'embedded',
      engines: engine.host,
      installed: async () => installed,
    })
  /** What was seen and heard, in its order. */
  const order: string[] = []
  const emit: Emit = (name, payload) => void (name === 'app.changed' && order.push((payload as AppState).phase))
  const open = await kit.open({ openService: factory, emit })
  await createProfile(open)
  const enrolling = open.core.call('voices.enroll', { wav })
  await vi.waitUntil(() => engine.sent.length > 0, { timeout: 20_000 })
  return { open, engine, enrolling, order }
}

test('a lock is seen at once and ends soon, while a voice is still read; what read it is ended, and nothing is kept', async () => {
  const { open, engine, enrolling, order } = await readingVoice()
  void enrolling.then(() => order.push('enrolling answered'))
  await open.call('vault.lock', {})
  expect([...order, 'lock answered'].slice(-3)).toEqual(['locked', 'enrolling answered', 'lock answered'])
  expect(await enrolling).toMatchObject({ ok: false, error: { code: 'cancelled' } })
  expect(engine.isKilled()).toBe(true)
  await open.call('vault.retry', {})
  expect(await open.call('voices.get', {})).toMatchObject({ enrolled_at: null })
  await open.core.close()
})

test('quitting does not wait for a voice that is still read', async () => {
  const { open, enrolling } = await readingVoice()
  await open.core.close()
  expect(await enrolling).toMatchObject({ ok: false, error: { code: 'cancelled' } })
})
