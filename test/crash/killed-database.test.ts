import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openChecked } from '#base/rebuild-database.ts'
import { seededRandom } from './seeded-random.ts'

const KILLS = process.env['AFTERWORD_FAULTS'] === 'full' ? 200 : 10
const { random, seed } = seededRandom()

/** Killed right after its commit of this number, which may be amid the next commit or a checkpoint. */
function killed(path: string, commit: number): Promise<string> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'killed-database-child.ts'), path])
  let [commits, errors] = [0, '']
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()))
  child.stdout.on('data', (bytes: Buffer) => {
    commits += bytes.length
    if (commits >= commit) child.kill('SIGKILL')
  })
  return new Promise((done) => child.on('close', () => done(errors)))
}

test(`a database whose process was killed while writing is never reported as damaged: ${KILLS} kills`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-killed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'records.db')
  for (let kill = 0; kill < KILLS; kill += 1) {
    expect(await killed(path, 1 + Math.floor(random() * 20))).toBe('')
    const database = openChecked(path, Buffer.alloc(32, 7))
    expect(database.pragma('integrity_check', { simple: true }), `kill ${kill}, AFTERWORD_SEED=${seed}`).toBe('ok')
    database.close()
  }
})
