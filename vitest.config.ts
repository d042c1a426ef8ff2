import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// AFTERWORD_FAULTS=full runs the fault tests with their full counts, which takes minutes.
const isFull = process.env['AFTERWORD_FAULTS'] === 'full'

export default defineConfig({
  // In plain Node, importing the real one tries to fetch its runtime.
  resolve: { alias: { electron: resolve(import.meta.dirname, 'test/support/electron-stand-in.ts') } },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/e2e/**', 'test/bench/**', 'test/fixtures/**', 'node_modules/**'],
    environment: 'node',
    pool: 'forks',
    // Much of a test's time is spent waiting for other processes: of two cores both have something to do.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Guards against waiting for ever on a machine that is busy with something else; nothing is asserted by them.
    testTimeout: isFull ? 3_600_000 : 180_000,
    hookTimeout: 180_000,
    allowOnly: process.env['CI'] !== 'true',
  },
})
