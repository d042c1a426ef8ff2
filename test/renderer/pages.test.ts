import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { type RendererPages, rendererPages } from '#test/support/renderer-pages.ts'
import { scenes } from './scenes.ts'

const why = await unmet('browser')
/** Where pictures go, for looking at them; none are made without it. */
const pictures = process.env['AFTERWORD_PICTURES']
const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The last one is 200% zoom of a window of 1280 by 800. */
const looks = [
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 960, height: 640, colorScheme: 'dark' },
  { width: 640, height: 400, colorScheme: 'light' },
] as const

describe.skipIf(leftOut('how the pages look and read', why))('pages', () => {
  let pages: RendererPages
  beforeAll(async () => {
    pages = await rendererPages()
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
  })
  afterAll(() => pages.close())

  test.each(scenes)(
    '$name: passes axe in both themes, nothing is cut sideways, no security rule is broken',
    { timeout: 120_000 },
    async (scene) => {
      const { page, faults, close } = await pages.open(scene.hash, scene.demo ?? {})
      try {
        await scene.act?.(page)
        const violations = violationsOn(page)
        for (const look of looks) {
          const at = `${look.width} ${look.colorScheme}`
          await page.setViewportSize(look)
          await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' })
          await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'))
          if (pictures !== undefined)
            await page.screenshot({ path: join(pictures, `${scene.name.replace(/\W+/g, '-')}-${look.width}.png`) })
          expect(await violations(), at).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), at).toBeLessThanOrEqual(0)
        }
        expect(faults).toEqual([])
        expect(await page.title()).toBe('Afterword')
      } finally {
        await close()
      }
    },
  )
})

/** Puts axe into the page once and answers what asks it: most of its cost is being sent there and back. */
function violationsOn(page: Page): () => Promise<string[]> {
  const options = { runOnly: rules, resultTypes: ['violations' as const] }
  let axeSource: string | undefined
  return async () => {
    const axe = new AxeBuilder({ page, ...(axeSource === undefined ? {} : { axeSource }) }).options(options)
    axeSource = 'void 0 // it is there'
    // Without frames, this is the same as the other mode less a second page for every answer.
    // What react-aria spoke a moment ago names a button that may be gone by now.
    const { violations } = await axe.exclude('[data-live-announcer]').setLegacyMode().analyze()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  }
}
