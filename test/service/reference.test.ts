import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quickStart } from '#contract/rest/quick-start.ts'
import { launchOptions, refuseNetwork } from '#test/support/chromium.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { freshFolder, startAlone } from './alone-kit.ts'
import type { Alone } from './alone-kit.ts'

const run = promisify(execFile)
const data = freshFolder()
let service: Alone
beforeAll(async () => {
  service = await startAlone(data.data, { AFTERWORD_CONSENT: 'enforced' })
})
afterAll(async () => {
  await service.stop('SIGKILL')
  data.remove()
})

const get = (path: string) => fetch(`${service.address.replace(/\/v1$/, '')}${path}`)

test.skipIf(process.platform === 'win32')('the commands of the quick start lead from a key to a first note', async () => {
  const { info } = (await (await get('/v1/openapi.json')).json()) as { info: { description: string } }
  expect(info.description).toContain(quickStart)
  const commands = [...info.description.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block]) => block!).join('\n')
  const script = commands.replace('https://service.example/v1', service.address).replace('aw_live_...', service.ownerKey!)
  await run('bash', ['-euo', 'pipefail', '-c', script])
  // A second run meets what the first one stored.
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script])
  const answers = stdout
    .replaceAll('}{', '}\n{')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(answers).toHaveLength(4)
  expect(answers[0]).toHaveProperty('roles')
  expect(answers[2]).toMatchObject({ scopes: ['draft', 'analyze'], revoked_at: null })
  for (const note of [answers[1], answers[3]]) expect(note).toMatchObject({ status: 'draft', template: 'soap' })
  expect(JSON.stringify(answers[3])).toContain('I wake at four')
})

test('the page and its scripts are open to anyone, and the policy lets in nothing else', async () => {
  for (const base of ['/v1', '/api/v1']) {
    const page = await get(`${base}/docs`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    const [, nonce] = /'nonce-([^']+)'/.exec(policy)!
    const other = await get(`${base}/docs`)
    expect(other.headers.get('content-security-policy')).not.toContain(nonce)
    for (const [, script] of (await page.text()).matchAll(/<script [^>]*src="([^"]+)"/g))
      expect((await get(script!)).headers.get('content-type')).toContain('text/javascript')
  }
})

const why = await unmet('browser')
/** Where pictures go, for looking at them; none are made without it. */
const pictures = process.env['AFTERWORD_PICTURES']

describe.skipIf(leftOut('the API documentation in a browser', why))('in a browser', () => {
  test.each([
    ['light', { width: 1280, height: 800 }],
    ['dark', { width: 1280, height: 800 }],
    ['light', { width: 390, height: 800 }],
  ] as const)(
    '%s, %o: the page shows the quick start and the core operations, and asks no other host',
    async (colorScheme, viewport) => {
      const browser = await chromium.launch(await launchOptions())
      const context = await browser.newContext({ colorScheme, viewport })
      const refused = await refuseNetwork(context)
      const page = await context.newPage()
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => {
        // The picture beside the hidden link at the foot; the policy stops it before it is asked for.
        if (message.type() === 'error' && !message.text().includes('logo-mini-full.svg')) faults.push(message.text())
      })
      await page.goto(`${service.address}/docs`)
      await page.getByRole('heading', { name: 'Quick start' }).waitFor()
      if (viewport.width > 800) await page.getByText('Core operations').first().waitFor()
      const [red = 0] = (
        await page.evaluate(() => {
          const shown = [document.body, ...document.querySelectorAll('#reference, #reference *')].map(
            (each) => getComputedStyle(each).backgroundColor,
          )
          return shown.find((color) => color !== 'rgba(0, 0, 0, 0)')!
        })
      )
        .match(/\d+/g)!
        .map(Number)
      expect(red < 128 ? 'dark' : 'light').toBe(colorScheme)
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true })
        await page.screenshot({ path: join(pictures, `api-docs-${colorScheme}-${viewport.width}.png`) })
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
      expect(refused).toEqual([])
      expect(faults).toEqual([])
      await browser.close()
    },
  )
})
