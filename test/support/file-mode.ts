import { statSync } from 'node:fs'
import { expect } from 'vitest'

/** Windows has no permission bits to expect. */
export const hasModes = process.platform !== 'win32'

export function expectMode(path: string, mode: number): void {
  if (hasModes) expect(statSync(path).mode & 0o777).toBe(mode)
}
