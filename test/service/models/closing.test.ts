import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { TryModels } from '#service/models/open-models.ts'
import { copyIn } from '#service/models/import-models.ts'
import { openModelFolder } from '#service/models/model-folder.ts'
import { openModelKit } from './model-kit.ts'
import { onnxOf } from './onnx.ts'

const resources = resolve(import.meta.dirname, '..', '..', '..', 'resources')

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-closing-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('closing waits for no model that is tried out: whoever brought it in hears that it was stopped', async () => {
  const stick = temporary()
  writeFileSync(join(stick, 'quiet.onnx'), onnxOf({ model_type: 'gtcrn' }))
  let trials = 0
  const endless: TryModels = (_models, _sound, signal) => {
    trials += 1
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  }
  const kit = await openModelKit({ resources, tryModels: endless })
  const bringing = kit.client.call('importModels', { body: { paths: [stick], own_name: 'Mine' } })
  const stopped = expect(bringing).rejects.toMatchObject({ code: 'cancelled' })
  await vi.waitUntil(() => trials > 0, { timeout: 20_000 })
  await kit.close()
  await stopped
})

test('a copy of a model stops with the service, and nothing of it stays', async () => {
  const from = join(temporary(), 'large.onnx')
  writeFileSync(from, Buffer.alloc(3 * 1024 * 1024))
  const path = temporary()
  const closing = new AbortController()
  closing.abort(new Error('closing'))
  const wish = { role: 'model', path: from, name: 'model.onnx', sha256: null }
  const folder = openModelFolder(path)
  await expect(copyIn('large', [wish], folder, 0, closing.signal)).rejects.toThrow('closing')
  expect(folder.keptBytes('large.import')).toBe(0)
})
