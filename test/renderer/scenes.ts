import type { Page } from '@playwright/test'
import { settingsSections } from '#renderer/lib/routes.ts'
import { clientNamed, demoSessions } from '#test/support/demo-records.ts'
import { appointmentScenes } from './appointment-scenes.ts'
import { calendarScenes } from './calendar-scenes.ts'
import { conflictScenes } from './conflict-scenes.ts'
import { findingScenes } from './finding-by-keyboard.ts'
import { hoursScenes } from './hours-scenes.ts'
import { movingScenes } from './moving-scenes.ts'
import { cutOffScene } from './recovery-by-keyboard.ts'
import { repairScenes } from './repair-scenes.ts'
import { reportScenes } from './report-scenes.ts'
import type { Scene } from './scene.ts'
import { sessionScenes } from './session-by-keyboard.ts'
import { firstRun, setupScenes, toRecoveryCode } from './setup-scenes.ts'
import { updateScenes } from './update-scenes.ts'

const client = `/clients/${clientNamed('Maren').client.id}`
const heldSession = demoSessions[6]!.session.id
const openTab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click()
const toModels = (page: Page) =>
  page.getByRole('heading', { name: /^Transcription (models|on this computer)$/ }).evaluate((heading) => heading.scrollIntoView())

/** Every page and dialog that this part of the window has. */
export const scenes: readonly Scene[] = [
  {
    name: 'today',
    hash: '/today',
    act: async (page) => {
      await page.getByText('Safety plan: she calls her sister').waitFor()
      await page.getByText('Transcribing, 40%').waitFor()
    },
  },
  { name: 'today, names hidden', hash: '/today', demo: { settings: { hide_names: true } } },
  { name: 'today, damaged recordings', hash: '/today', demo: { damaged: 'three recordings' } },
  { name: 'session, a damaged recording', hash: `/sessions/${heldSession}/consent`, demo: { damaged: 'three recordings' } },
  cutOffScene,
  { name: 'today, nothing yet', hash: '/today', demo: { isEmpty: true } },
  { name: 'clients', hash: '/clients' },
  {
    name: 'client',
    hash: client,
    act: async (page) => {
      await page.getByRole('img', { name: 'Came up in 2 of the last 3 sessions with insights' }).first().waitFor()
      await page.getByRole('link', { name: 'Sleep · Family · Medication' }).waitFor()
      await page.getByText('Covered. 12 visits left.').waitFor()
    },
  },
  {
    name: 'client, before the next session, opened from Today',
    hash: '/today',
    act: async (page) => {
      await page.getByRole('link', { name: 'Pre-session brief' }).click()
      await page.getByRole('heading', { name: 'Safety and medication, from November 10' }).waitFor()
    },
  },
  {
    name: 'client, before the next session, without insights',
    hash: client,
    demo: { insights: 'not_agreed' },
    act: openTab('Pre-session brief'),
  },
  { name: 'client, sessions', hash: client, act: openTab('Sessions') },
  { name: 'client, consent', hash: client, act: openTab('Consent') },
  { name: 'coverage', hash: client, act: openTab('Insurance') },
  { name: 'coverage, nothing yet', hash: client, demo: { coverage: 'nothing yet' }, act: openTab('Insurance') },
  { name: 'coverage, not set up', hash: client, demo: { coverage: 'not set up' }, act: openTab('Insurance') },
  { name: 'coverage, not found', hash: client, demo: { coverage: 'not found' }, act: openTab('Insurance') },
  {
    name: 'coverage, adding an approval',
    hash: client,
    act: async (page) => {
      await openTab('Insurance')(page)
      await page.getByRole('button', { name: 'Add authorization' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Add authorization' }).click()
      await page.getByText('Enter the authorization number').waitFor()
    },
  },
  { name: 'client, details', hash: client, act: openTab('Details') },
  {
    name: 'asking for consent',
    hash: client,
    act: async (page) => {
      await openTab('Consent')(page)
      await page.getByRole('button', { name: 'Ask for consent' }).click()
    },
  },
  {
    name: 'withdrawing consent',
    hash: client,
    act: async (page) => {
      await openTab('Consent')(page)
      await page.getByRole('button', { name: 'Withdraw…' }).click()
    },
  },
  { name: 'new client', hash: '/clients?new' },
  { name: 'new session', hash: '/today', act: (page) => page.getByRole('button', { name: 'New appointment' }).click() },
  { name: 'insights', hash: `/sessions/${heldSession}/insights` },
  {
    name: 'insights, a decision and the turns of a behaviour',
    hash: `/sessions/${heldSession}/insights`,
    act: async (page) => {
      await page.getByText('Not a safety concern, because…').click()
      await page.getByRole('button', { name: 'Save my decision' }).click()
      await page.getByRole('button', { name: 'Open questions' }).click()
      await page.getByText('Ask how this went').click()
    },
  },
  { name: 'insights, not asked for', hash: `/sessions/${heldSession}/insights`, demo: { insights: 'not_asked' } },
  { name: 'insights, not agreed to', hash: `/sessions/${heldSession}/insights`, demo: { insights: 'not_agreed' } },
  ...calendarScenes,
  ...reportScenes,
  { name: 'sync', hash: '/sync' },
  ...(['quota', 'needs_key'] as const).map((outbox) => ({
    name: `sync of a practice, ${outbox}`,
    hash: '/sync',
    demo: { outbox },
  })),
  {
    name: 'settings, an NPI with a wrong digit',
    hash: '/settings/account',
    act: async (page) => {
      await page.getByLabel('Your NPI').fill('1234567894')
      await page.getByLabel('Your NPI').press('Enter')
      await page.getByText('This isn’t a valid NPI. Check the 10 digits.').waitFor()
      await page.getByLabel('License number').fill('L00000')
      await page.getByLabel('License number').press('Enter')
      await page.getByText('Saved', { exact: true }).waitFor()
    },
  },
  ...settingsSections.map((section) => ({ name: `settings, ${section}`, hash: `/settings/${section}` })),
  {
    name: 'settings, a search',
    hash: '/settings/account',
    act: (page) => page.getByRole('searchbox', { name: 'Search settings' }).fill('lock'),
  },
  ...appointmentScenes,
  ...conflictScenes,
  ...findingScenes,
  ...hoursScenes,
  ...movingScenes,
  ...repairScenes,
  ...sessionScenes,
  ...updateScenes,
  {
    name: 'settings, test of the speech server',
    hash: '/settings/recording',
    act: (page) => page.getByRole('button', { name: 'Test speech server' }).click(),
  },
  {
    name: 'settings, a form of one’s own',
    hash: '/settings/notes',
    act: (page) => page.getByRole('button', { name: 'Edit Evening note' }).click(),
  },
  {
    name: 'settings, a form from an example',
    hash: '/settings/notes',
    act: (page) => page.getByRole('button', { name: 'Create from a note' }).click(),
  },
  {
    name: 'settings, signed in to a practice’s service',
    hash: '/settings/practice',
    demo: { settings: { service_address: 'https://practice.example/v1' } },
    act: async (page) => {
      await page.getByRole('button', { name: 'Open browser' }).click()
      await page.getByText('You are signed in.').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings, how recordings are sent',
    hash: '/settings/practice',
    demo: { settings: { service_address: 'https://practice.example/v1', service_has_key: true, upload_limit: 100 } },
    act: (page) => page.getByText('Upload speed for recordings').last().scrollIntoViewIfNeeded(),
  },
  {
    name: 'settings, a model server elsewhere',
    hash: '/settings/notes',
    demo: {
      settings: { language_engine: 'server', language_address: 'https://models.example.org/v1', language_model: 'qwen3-4b' },
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'Test AI server' }).click()
      await page.getByText('The server offers 2 models.').waitFor()
    },
  },
  {
    name: 'settings, speech models on their way',
    hash: '/settings/recording',
    demo: { settings: { speech_engine: 'local' }, models: 'on its way' },
    act: toModels,
  },
  {
    name: 'settings, speech models, all of them',
    hash: '/settings/advanced',
    demo: { settings: { speech_engine: 'local', language: 'de-AT' }, models: 'all there' },
    act: async (page) => {
      await toModels(page)
      await page.getByRole('button', { name: /other models/ }).click()
      await toModels(page)
    },
  },
  {
    name: 'settings, removing a speech model',
    hash: '/settings/advanced',
    demo: { models: 'all there' },
    act: (page) => page.getByRole('button', { name: 'Remove, Parakeet 0.6B v2' }).click(),
  },
  {
    name: 'settings, bringing in unknown files',
    hash: '/settings/advanced',
    act: async (page) => {
      await page.getByLabel('Folder').fill('/media/stick/models')
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByText('These files aren’t a supported model.').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings, a model on this laptop',
    hash: '/settings/advanced',
    demo: { settings: { language_engine: 'model', language_file: 'qwen3-4b-q4_k_m.gguf' } },
    act: (page) => page.getByRole('button', { name: 'Check folder again' }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'settings, a model on this laptop that the installed app does not run',
    hash: '/settings/notes',
    demo: { settings: { language_engine: 'model', language_file: 'qwen3-4b-q4_k_m.gguf' }, isPackaged: true },
    act: (page) => page.getByText('The installed app can’t run an AI model on this computer.').scrollIntoViewIfNeeded(),
  },
  {
    name: 'settings, another passphrase',
    hash: '/settings/account',
    demo: { app: { protection: 'passphrase' } },
    act: async (page) => {
      await page.getByRole('button', { name: 'Passphrase: Change passphrase' }).click()
      await page.getByLabel('Current passphrase').fill('not this one')
      await page.getByLabel('New passphrase', { exact: true }).fill('short')
      await page.getByRole('dialog').getByRole('button', { name: 'Change passphrase' }).click()
      await page.getByText('Add 7 more characters.').waitFor()
    },
  },
  {
    name: 'settings, another recovery code',
    hash: '/settings/account',
    demo: { app: { protection: 'keychain', keychain_available: true } },
    act: async (page) => {
      await page.getByRole('button', { name: 'Recovery code: Create new code' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create new code' }).click()
      await page.getByRole('heading', { name: 'Your new recovery code' }).waitFor()
    },
  },
  {
    name: 'find',
    hash: '/today',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox').fill('choir')
      await page.getByRole('option').first().waitFor()
    },
  },
  { name: 'keyboard', hash: '/today', act: (page) => page.keyboard.press('?') },
  { name: 'first run, place', hash: '/', demo: firstRun },
  {
    name: 'first run, protection',
    hash: '/',
    demo: firstRun,
    act: async (page) => {
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('Passphrase', { exact: true }).fill('short')
      await page.getByRole('button', { name: 'Create my records' }).click()
      await page.getByText('Enter the name you sign notes with.').waitFor()
    },
  },
  {
    name: 'first run, recovery code',
    hash: '/',
    demo: { app: { ...firstRun.app, keychain_available: true } },
    act: toRecoveryCode,
  },
  ...setupScenes,
  { name: 'lock, passphrase', hash: '/', demo: { app: { phase: 'locked' } } },
  {
    name: 'lock, recovery code',
    hash: '/',
    demo: { app: { phase: 'locked' } },
    act: (page) => page.getByRole('button', { name: 'Use my recovery code' }).click(),
  },
  {
    name: 'lock, keychain, recording',
    hash: '/',
    demo: { app: { phase: 'locked', protection: 'keychain', recording_id: '01930001-0000-7000-8000-000000000001' } },
  },
]
