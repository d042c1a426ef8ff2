import type { Page } from '@playwright/test'
import type { DemoUpdates } from '#test/support/demo-updates.ts'
import type { Scene } from './scene.ts'

const toGroup = (page: Page) =>
  page.getByRole('heading', { name: 'Updates', exact: true }).evaluate((heading) => heading.scrollIntoView())

const scene = (name: string, updates: DemoUpdates): Scene => ({
  name: `settings, updates: ${name}`,
  hash: '/settings/advanced',
  demo: { updates, app: { shell: updates === 'preview' ? 'preview' : 'electron' } },
  act: toGroup,
})

const always: readonly Scene[] = [scene('a package', 'package'), scene('downloading', 'downloading')]

/** Made of what the others show, in other words. */
const forPictures: readonly Scene[] = [
  scene('the preview', 'preview'),
  scene('idle', 'idle'),
  scene('up to date', 'up to date'),
  scene('available', 'available'),
  scene('ready', 'ready'),
  scene('ready, while recording', 'recording'),
  scene('failed', 'failed'),
]

export const updateScenes: readonly Scene[] =
  process.env['AFTERWORD_PICTURES'] === undefined ? always : [...always, ...forPictures]
