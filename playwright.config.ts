import { defineConfig } from '@playwright/test'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  // Most of a spec passes at the pace of what is spoken, so two go side by side, each with its own profile, browser and
  // recogniser. The full counts go one by one.
  workers: isFull ? 1 : 2,
  fullyParallel: !isFull,
  retries: 0,
  forbidOnly: process.env['CI'] === 'true',
  timeout: isFull ? 3_600_000 : 600_000,
  // A guard against waiting for ever: nothing is asserted by it.
  expect: { timeout: 60_000 },
  outputDir: 'test-results/e2e',
  reporter: 'list',
  // A trace or a screenshot would hold clinical text; failures explain themselves by role and name.
  use: { trace: 'off', screenshot: 'off', video: 'off' },
})
