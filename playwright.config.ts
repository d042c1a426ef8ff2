import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  // One profile, one browser, one recogniser at a time: the machine is small and timing is part of what is tested.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: process.env['CI'] === 'true',
  timeout: process.env['AFTERWORD_FAULTS'] === 'full' ? 3_600_000 : 600_000,
  // A guard against waiting for ever: nothing is asserted by it.
  expect: { timeout: 60_000 },
  outputDir: 'test-results/e2e',
  reporter: 'list',
  // A trace or a screenshot would hold clinical text; failures explain themselves by role and name.
  use: { trace: 'off', screenshot: 'off', video: 'off' },
})
