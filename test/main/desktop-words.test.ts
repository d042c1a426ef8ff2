import { expect, test } from 'vitest'
import { words } from '#main/words.ts'
import { appStrings, searchStrings } from '#renderer/strings/app.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'

test('the menu bar has the words of the window', () => {
  const { today, clients, calendar, reports, settings } = appStrings.pages
  const { lock, findShort: find } = appStrings.titleBar
  const { newAppointment: appointment, newClient: client, shortcuts } = searchStrings
  expect(words.menu).toMatchObject({ today, clients, calendar, reports, settings, lock, find, appointment, client, shortcuts })
})

test('what a notification can say has no place for a name', () => {
  expect(Object.values(words.ready).every((text) => typeof text === 'string')).toBe(true)
  expect(settingsStrings.notify.on).toContain('without names')
})
