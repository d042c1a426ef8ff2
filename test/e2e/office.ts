import { expect, type Locator, type Page } from '@playwright/test'

export async function openSettings(page: Page, section: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: section, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: section })).toBeVisible()
}

/** The work around a session: who comes, when, and which speech service writes it down. */
export async function chooseSpeechServer(page: Page, address: string): Promise<Locator> {
  await openSettings(page, 'Recording and transcription')
  const recording = page.locator('section', { has: page.getByRole('heading', { name: 'Recording', exact: true }) })
  await recording.getByRole('button', { name: 'Transcription' }).click()
  await page.getByRole('option', { name: 'On a speech server' }).click()
  await recording.getByLabel('Address').fill(address)
  await page.keyboard.press('Tab')
  await expect(recording.getByText('The server runs on this computer, so the audio doesn’t leave it.')).toBeVisible()
  return recording
}

export async function setSpeechService(page: Page, address: string): Promise<void> {
  const recording = await chooseSpeechServer(page, address)
  await recording.getByRole('button', { name: 'Test speech server' }).click()
  await expect(recording.getByText(/The server is ready/)).toBeVisible()
}

export async function addClient(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Clients' }).click()
  await page.getByRole('button', { name: 'Add client' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Add client' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

/** Books one for now, from the client's page; the window goes to it. */
export async function bookSession(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add appointment' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Record' })).toBeVisible()
}

export async function openLastSession(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Clients' }).click()
  await page.getByRole('option', { name: new RegExp(name) }).click()
  await page.getByRole('tab', { name: 'Sessions' }).click()
  await page.getByRole('list', { name: 'Sessions, newest first' }).getByRole('link').first().click()
}
