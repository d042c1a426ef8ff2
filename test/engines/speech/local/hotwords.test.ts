import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadRecogniser } from '#engines/speech/local/recogniser.ts'
import { undecidedTransducer } from './undecided-transducer.ts'

const folder = mkdtempSync(join(tmpdir(), 'afterword-hotwords-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a transducer that is undecided hears the word that was to be expected', async () => {
  const model = undecidedTransducer(folder)
  const sound = Float32Array.from({ length: 8000 }, (_, at) => Math.sin(at / 7) / 2)
  const hear = async (...vocabulary: string[]): Promise<string[]> => {
    const { text } = await loadRecogniser(model, { language: 'en', vocabulary }, 1).recognise(sound)
    return [...new Set<string>(text.trim().split(/\s+/))]
  }
  expect(await hear()).toEqual(['cat'])
  expect(await hear('hat')).toContain('hat')
  expect(await hear('a word that it cannot write')).toEqual(['cat'])
})
