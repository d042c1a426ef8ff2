import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import type { Page } from '@playwright/test'
import { clientNamed, demoSessions } from '#test/support/demo-records.ts'
import { repository } from '#test/support/machine.ts'
import { messagesOf } from './catalogue.ts'
import type { Scene } from './scene.ts'
import { firstRun } from './setup-scenes.ts'

const client = `/clients/${clientNamed('Maren').client.id}`
const held = `/sessions/${demoSessions[6]!.session.id}`
const coming = `/sessions/${demoSessions[3]!.session.id}`
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click()
const openTab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click()
const settings = 'account recording notes schedule practice appearance advanced'.split(' ')

const inSpanish = ({ name, demo, ...rest }: Scene): Scene => ({
  ...rest,
  name: `Spanish: ${name}`,
  demo: { ...demo, language: 'es' },
})

const scenes: readonly Scene[] = [
  { name: 'today', hash: '/today' },
  { name: 'today, damaged recordings', hash: '/today', demo: { damaged: 'three recordings' } },
  { name: 'today, nothing yet', hash: '/today', demo: { isEmpty: true } },
  { name: 'clients', hash: '/clients' },
  { name: 'new client', hash: '/clients?new' },
  { name: 'client', hash: client },
  { name: 'client, brief', hash: client, act: openTab('Resumen previo') },
  { name: 'client, consent', hash: client, act: openTab('Consentimiento') },
  { name: 'client, insurance', hash: client, act: openTab('Seguro') },
  { name: 'client, details', hash: client, act: openTab('Datos') },
  {
    name: 'asking for consent',
    hash: client,
    async act(page) {
      await openTab('Consentimiento')(page)
      await press('Pedir consentimiento')(page)
    },
  },
  { name: 'new appointment', hash: '/today', act: press('Cita nueva') },
  { name: 'calendar', hash: '/calendar' },
  { name: 'reports', hash: '/reports' },
  { name: 'sync queue', hash: '/sync', demo: { outbox: 'offline' } },
  { name: 'session, record', hash: `${coming}/record` },
  { name: 'session, consent', hash: `${held}/consent` },
  { name: 'session, without consent', hash: `${held}/record`, demo: { refused: 'transcribe', recorded: 'without a transcript' } },
  { name: 'session, transcript', hash: `${held}/transcript` },
  { name: 'session, no transcript', hash: `${held}/transcript`, demo: { recorded: 'without a transcript' } },
  { name: 'session, note', hash: `${held}/note` },
  { name: 'session, note to review', hash: `${held}/note`, demo: { isToReview: true } },
  { name: 'session, insights', hash: `${held}/insights` },
  { name: 'session, asking for insights', hash: `${held}/insights`, demo: { insights: 'not_agreed' } },
  ...settings.map((section) => ({ name: `settings, ${section}`, hash: `/settings/${section}` })),
  { name: 'keyboard shortcuts', hash: '/today', act: (page: Page) => page.keyboard.press('?') },
  { name: 'locked', hash: '/today', demo: { app: { phase: 'locked' as const } } },
  { name: 'first run', hash: '/', demo: firstRun },
  {
    name: 'first run, protection',
    hash: '/',
    demo: firstRun,
    act: (page: Page) => page.getByRole('button', { name: 'Continuar' }).click(),
  },
]

export const spanishScenes: readonly Scene[] = scenes.map(inSpanish)

const read = (name: string) =>
  messagesOf(JSON.parse(readFileSync(join(repository, 'src', 'renderer', 'strings', name), 'utf8')) as Record<string, object>)

const LITERAL = 0

/** The words of a message between its arguments. */
function partsOf(text: string): string[] {
  const parts = (elements: ReturnType<IntlMessageFormat['getAst']>): string[] =>
    elements.flatMap((element) => {
      if (element.type === LITERAL) return [element.value.trim()]
      return 'options' in element ? Object.values(element.options).flatMap(({ value }) => parts(value)) : []
    })
  return parts(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst())
}

const spanish = new Set(read('es-US.json').flatMap(({ text }) => [text, ...partsOf(text)]))
const english = read('en-US.json')
const plain = new Set(english.filter(({ text }) => /\p{L}{2}/u.test(text) && !spanish.has(text)).map(({ text }) => text))
/** Long enough to be no part of a name or of a note. */
const fragments = english.flatMap(({ text }) => partsOf(text)).filter((part) => part.length >= 16 && !spanish.has(part))

/** Headings of a note, which is in English. */
const noteWords = new Set(['Plan', 'Subjective', 'Objective', 'Assessment'])

/**
 * What the page shows or tells a screen reader in the catalogue's English. Notes and transcripts are in their own language, and
 * what is read to a client is marked as in the client's.
 */
export async function englishOn(page: Page): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      if (parentElement?.closest<HTMLElement>('[lang]')?.lang !== 'en') texts.push(textContent ?? '')
    }
    for (const element of document.querySelectorAll('*'))
      for (const name of ['aria-label', 'aria-description', 'placeholder', 'title', 'alt', 'aria-valuetext'])
        texts.push(element.getAttribute(name) ?? '')
    return texts.map((text) => text.trim()).filter((text) => text !== '')
  })
  return [...new Set(shown)].filter(
    (text) => (plain.has(text) && !noteWords.has(text)) || fragments.some((part) => text.includes(part)),
  )
}

/** Buttons, labels and headings whose words do not fit. */
export const cutOn = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a, label, h1, h2, h3, [role=tab], .ui-chip')]
      .filter((element) => element.offsetParent !== null && !element.closest('.visually-hidden'))
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
      .map((element) => `${element.tagName} ${element.className}: ${element.innerText.slice(0, 60)}`),
  )
