import { expect, test } from 'vitest'
import { EngineGone, startListening } from '#engines/speech/local/listening.ts'
import { scriptedEngine } from '#test/support/scripted-engine.ts'

const never = new AbortController().signal
const nothing = { words: null, speakers: null }

test('an engine that says what nobody understands counts as gone, and is ended', async () => {
  const engine = scriptedEngine()
  const starting = startListening(engine.host, nothing, never)
  engine.say({ kind: 'ready' })
  await expect(starting).rejects.toBeInstanceOf(EngineGone)
  expect(engine.isKilled()).toBe(true)
})

test('so it does in the middle of its work, where only what it was doing fails', async () => {
  const engine = scriptedEngine()
  const starting = startListening(engine.host, nothing, never)
  engine.say({ kind: 'ready', version: '1' })
  const listening = await starting
  const hearing = listening.hear({ index: 0, samples: new Float32Array(1600), wantWords: true, keep: false })
  engine.say({ kind: 'heard', index: 0, segments: 'many', language: null, kept: null })
  await expect(hearing).rejects.toBeInstanceOf(EngineGone)
  expect(engine.isKilled()).toBe(true)
})
