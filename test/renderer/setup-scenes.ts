import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import type { DemoScene } from '#test/support/demo-bridge.ts'
import type { Scene } from './scene.ts'

export const firstRun: DemoScene = { app: { phase: 'first_run', protection: null } }

export async function toRecoveryCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Your name').fill('Dana Okell')
  await page.getByRole('button', { name: 'Create my records' }).click()
  await page.getByRole('heading', { name: 'Your recovery code' }).waitFor()
}

const withKeychain = { ...firstRun.app, keychain_available: true }
const onLaptop = { speech_engine: 'local' } as const

async function toTranscription(page: Page): Promise<void> {
  await toRecoveryCode(page)
  await page.getByRole('button', { name: 'I wrote the code down or printed it' }).click()
  await page.getByRole('heading', { name: 'Set up transcription' }).waitFor()
}

export const setupScenes: readonly Scene[] = [
  {
    name: 'settings, a model on this laptop, and the way to its files',
    hash: '/settings/notes',
    demo: { settings: { language_engine: 'model', language_file: 'qwen3-4b-q4_k_m.gguf' } },
    act: async (page) => {
      await page.getByRole('button', { name: 'Choose model' }).scrollIntoViewIfNeeded()
      expect(await page.getByText('Model folder').count()).toBe(0)
    },
  },
  {
    name: 'settings, a speech model on its way, in detail',
    hash: '/settings/advanced',
    demo: { settings: onLaptop, models: 'on its way' },
    act: (page) => page.getByRole('heading', { name: 'Transcription models' }).scrollIntoViewIfNeeded(),
  },
  { name: 'first run, transcription', hash: '/', demo: { app: withKeychain, settings: onLaptop }, act: toTranscription },
  {
    name: 'first run, transcription, a full disk',
    hash: '/',
    demo: { app: withKeychain, models: 'no room', settings: onLaptop },
    async act(page) {
      await toTranscription(page)
      await page.getByText('This needs 695 MB of free disk space. Free some space first.').waitFor()
      await page.getByRole('button', { name: 'Finish', exact: true }).waitFor()
    },
  },
  {
    name: 'first run, transcription, a wrong folder',
    hash: '/',
    demo: { app: withKeychain, settings: onLaptop },
    async act(page) {
      await toTranscription(page)
      await page.getByText('From a folder').click()
      await page.getByRole('button', { name: 'Copy and finish' }).click()
      await page.getByText('Enter the folder first.').waitFor()
      await page.getByLabel('Folder', { exact: true }).fill('/media/usb/holiday')
      await page.getByRole('button', { name: 'Copy and finish' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'first run, transcription, a server',
    hash: '/',
    demo: { app: withKeychain, settings: onLaptop },
    async act(page) {
      await toTranscription(page)
      await page.getByText('On a transcription server').click()
      await page.getByRole('textbox', { name: 'Address' }).fill('models.example.org')
      await page.getByRole('button', { name: 'Connect and finish' }).click()
      await page.getByText('This isn’t a web address.').waitFor()
    },
  },
  {
    name: 'today, transcription is downloading',
    hash: '/today',
    demo: { models: 'on its way', settings: onLaptop },
    act: (page) => page.getByRole('button', { name: 'Cancel download' }).waitFor(),
  },
  {
    name: 'today, the download was interrupted',
    hash: '/today',
    demo: { models: 'interrupted', settings: onLaptop },
    act: (page) => page.getByRole('button', { name: /^Resume/ }).waitFor(),
  },
]
