import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { type RendererPages, rendererPages } from '#test/support/renderer-pages.ts'
import { scenes } from './scenes.ts'
import { cutOn, englishOn, spanishScenes } from './spanish-scenes.ts'

const why = await unmet('browser')
/** Where pictures go, for looking at them; none are made without it. */
const pictures = process.env['AFTERWORD_PICTURES']
/** The one that comes with its driver: sent with every question it would cost more than its answers. */
const axe = createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js')
/** The last of them is experimental, and is met here: WCAG 2.5.3. */
const everyRule = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'label-content-name-mismatch': { enabled: true } },
}
const withoutContrast = { ...everyRule, rules: { ...everyRule.rules, 'color-contrast': { enabled: false } } }
const [light, dark] = ['light' as const, 'dark' as const]
/** The third one is 200% zoom of a window of 1280 by 800, where the light colors were checked already. */
const looks = [
  { size: { width: 1280, height: 800 }, colorScheme: light, rules: everyRule },
  { size: { width: 960, height: 640 }, colorScheme: dark, rules: { runOnly: ['color-contrast', 'target-size'] } },
  { size: { width: 640, height: 400 }, colorScheme: light, rules: withoutContrast },
  { size: { width: 1280, height: 800 }, colorScheme: light, forcedColors: 'active' as const, rules: everyRule },
]

describe.skipIf(leftOut('how the pages look and read', why))('pages', () => {
  let pages: RendererPages
  beforeAll(async () => {
    pages = await rendererPages(readFileSync(axe, 'utf8'))
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
  })
  afterAll(() => pages.close())

  test.each(scenes)(
    '$name: passes axe in both themes and in forced colors, nothing is cut sideways, no security rule is broken',
    async (scene) => {
      const { page, faults } = await pages.open(scene.hash, scene.demo ?? {})
      await scene.act?.(page)
      for (const { size, colorScheme, forcedColors = 'none', rules } of looks) {
        const at = `${size.width} ${forcedColors === 'none' ? colorScheme : 'forced'}`
        await page.setViewportSize(size)
        await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' })
        await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'))
        expect(await violationsOn(page, rules), at).toEqual([])
        // An open menu takes its new place only after the resize.
        await expect.poll(() => sideways(page), { message: at }).toBeLessThanOrEqual(0)
      }
      await takePictures(page, scene.name)
      expect(faults).toEqual([])
      expect(await page.title()).toBe('Afterword')
    },
  )

  test.each(spanishScenes)('$name: shows no English of the catalogue, and its words fit', async (scene) => {
    const { page, faults } = await pages.open(scene.hash, scene.demo ?? {})
    await scene.act?.(page)
    await takePictures(page, scene.name)
    await page.setViewportSize({ width: 900, height: 620 })
    await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'))
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('es-US')
    expect(await englishOn(page)).toEqual([])
    expect(await cutOn(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    expect(await violationsOn(page, { runOnly: ['wcag2a', 'wcag2aa'] })).toEqual([])
    expect(faults).toEqual([])
  })
})

/** In both themes at three sizes, and in forced colors. */
async function takePictures(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  const take = async (at: string): Promise<void> => {
    await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'))
    await page.screenshot({ path: join(pictures, `${name.replaceAll(/\W+/g, '-')}-${at}.png`) })
  }
  for (const { size } of looks.slice(0, 3)) {
    await page.setViewportSize(size)
    for (const colorScheme of [light, dark]) {
      await page.emulateMedia({ colorScheme, forcedColors: 'none', reducedMotion: 'reduce' })
      await take(`${size.width}-${colorScheme}`)
    }
  }
  await page.setViewportSize(looks[0]!.size)
  await page.emulateMedia({ colorScheme: light, forcedColors: 'active' })
  await take('forced')
  await page.emulateMedia({ forcedColors: 'none' })
}

const sideways = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

async function violationsOn(page: Page, rules: Parameters<AxeBuilder['options']>[0]): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page, axeSource: 'void 0 // it is there already' })
    .options({ ...rules, resultTypes: ['violations'] })
    // What react-aria spoke a moment ago names a button that may be gone by now.
    .exclude('[data-live-announcer]')
    // There are no frames: this is the other mode less a second page for every answer.
    .setLegacyMode()
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
