import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Laptop, type LaptopOptions, openLaptop } from './open-laptop.ts'

/** An empty laptop, gone with its test. */
export function laptop(options: Omit<LaptopOptions, 'folder' | 'key'>): Laptop {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-pull-'))
  const opened = openLaptop({ ...options, folder, key: randomBytes(32) })
  onTestFinished(async () => {
    await opened.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return opened
}
