import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startSource } from './misbehaving-source.ts'
import { repositoryName } from './small-model.ts'

/** `npm run faults` sets how often. */
const kills = process.env['AFTERWORD_FAULTS'] === 'full' ? 100 : 3
const child = join(import.meta.dirname, 'install-child.ts')

test(`killed ${kills} times while a model comes in: never half-installed, never back at the start, in the end whole`, async () => {
  const root = mkdtempSync(join(tmpdir(), 'afterword-killed-'))
  const file = { 'model.onnx': randomBytes(400_000 + kills * 100_000), 'tokens.txt': Buffer.from('a 0\n') }
  const source = await startSource({ [repositoryName]: file })
  const folder = join(root, 'models')
  const start = () =>
    spawn(process.execPath, [child, join(root, 'service.db'), 'ab'.repeat(32), folder, source.address], {
      env: { ...process.env, NODE_ENV: 'test' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  let reached = 0
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      source.will({ stallAfter: randomInt(50_000, 100_000) })
      const service = start()
      await source.stalled(kill)
      reached = await vi.waitUntil(() => further(folder, reached), { timeout: 60_000, interval: 5 })
      const gone = new Promise((resolve) => service.on('exit', resolve))
      service.kill('SIGKILL')
      await gone
      expect(readdirSync(folder)).toEqual(['.incoming'])
    }
    const last = start()
    const said: string[] = []
    last.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()))
    expect(await new Promise((resolve) => last.on('exit', resolve))).toBe(0)
    expect(JSON.parse(said.join(''))).toMatchObject({ id: 'small', chosen: true })
    for (const [name, bytes] of Object.entries(file)) expect(readFileSync(join(folder, 'small', name)).equals(bytes)).toBe(true)
    const starts = source.asked
      .filter(({ path }) => path.endsWith('model.onnx'))
      .map(({ range }) => Number(/\d+/.exec(range ?? '0')?.[0]))
    expect(starts).toEqual(starts.toSorted((one, other) => one - other))
    expect(starts.at(-1)).toBeGreaterThanOrEqual(reached)
  } finally {
    await source.close()
    rmSync(root, { recursive: true, force: true })
  }
}, 3_600_000)

/** Bytes that the disk has for good, once they are more than before. */
function further(folder: string, before: number): number | null {
  try {
    const sidecar = readFileSync(join(folder, '.incoming', 'small', 'model.onnx.part.json'), 'utf8')
    const { synced_bytes } = JSON.parse(sidecar) as { synced_bytes: number }
    return synced_bytes > before ? synced_bytes : null
  } catch {
    // Not there yet, or just being written.
    return null
  }
}
