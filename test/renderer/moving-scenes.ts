import type { Page } from '@playwright/test'
import type { DemoMoving } from '#test/support/demo-moving.ts'
import type { Scene } from './scene.ts'

const toGroup = (page: Page) =>
  page.getByRole('heading', { name: 'Practice and sync' }).evaluate((heading) => heading.scrollIntoView())

const scene = (name: string, moving: DemoMoving): Scene => ({
  name: `settings, a move that ${name}`,
  hash: '/settings/practice',
  demo: { moving },
  act: toGroup,
})

const always: readonly Scene[] = [scene('was looked at', 'looked'), scene('differs', 'differs')]

/** Made of what the others show, in other words. */
const forPictures: readonly Scene[] = [
  { name: 'settings, a move to begin', hash: '/settings/practice', act: toGroup },
  scene('cannot begin', 'refused'),
  scene('is on its way', 'sending'),
  scene('waits for the next day', 'quota'),
  scene('waits for a key', 'key'),
  scene('is compared', 'checked'),
  scene('was given up', 'undone'),
  {
    name: 'settings, after a move',
    hash: '/settings/practice',
    demo: { moving: 'confirmed', settings: { service_address: 'https://practice.example/v1', service_has_key: true } },
    act: toGroup,
  },
]

export const movingScenes: readonly Scene[] =
  process.env['AFTERWORD_PICTURES'] === undefined ? always : [...always, ...forPictures]
