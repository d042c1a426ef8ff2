import type { Page } from '@playwright/test'
import type { DemoScene } from '#test/support/demo-bridge.ts'

export interface Scene {
  readonly name: string
  readonly hash: string
  readonly demo?: DemoScene
  /** What a person does before looking. */
  readonly act?: (page: Page) => Promise<unknown>
}
