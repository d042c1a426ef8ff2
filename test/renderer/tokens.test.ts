import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from '#test/support/machine.ts'

type Theme = 'light' | 'dark'

const css = readFileSync(join(repository, 'src/renderer/styles/tokens.css'), 'utf8')

function colour(token: string, theme: Theme): readonly [number, number, number] {
  const match = new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(css)
  const hex = match?.[theme === 'light' ? 1 : 2]
  if (hex === undefined) throw new Error(`no colour --${token}`)
  return [1, 3, 5].map((from) => Number.parseInt(hex.slice(from, from + 2), 16)) as [number, number, number]
}

/** WCAG 2.2, relative luminance. */
function luminance(channels: readonly [number, number, number]): number {
  const [red, green, blue] = channels.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(token: string, ground: string, theme: Theme): number {
  const [one, other] = [luminance(colour(token, theme)), luminance(colour(ground, theme))]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

const text = 4.5
const marks = 3

/** Token, the ground it stands on, and what is promised in light and in dark, rounded down to a tenth. */
const promised: readonly (readonly [string, string, number, number])[] = [
  ['line-strong', 'surface', 3.7, 4.3],
  ['ink', 'surface', 15.6, 13.8],
  ['ink-2', 'surface', 7.6, 9.0],
  ['ink-2', 'hover', 6.4, 7.5],
  ['ink-3', 'surface', 5.5, 6.2],
  ['ink-3', 'hover', 4.7, 5.2],
  ['accent', 'surface', 7.5, 8.1],
  ['on-accent', 'accent', 7.5, 8.3],
  ['accent-ink', 'surface', 8.3, 9.1],
  ['accent-ink', 'accent-tint', 7.1, 7.2],
  ['accent-mid', 'surface', 3.6, 4.5],
  ['ink', 'mark', 12.3, 7.3],
  ['red', 'surface', 6.6, 6.2],
  ['red-ink', 'red-tint', 6.4, 6.4],
  ['amber', 'surface', 3.4, 7.6],
  ['amber-ink', 'amber-tint', 6.8, 7.8],
  ['sp1', 'surface', 7.2, 8.6],
  ['sp2', 'surface', 7.6, 8.4],
  ['sand', 'surface', 3.4, 7.8],
]

describe('contrast', () => {
  test.each(promised)('%s on %s is as strong as promised in both themes', (token, ground, light, dark) => {
    expect(contrast(token, ground, 'light')).toBeGreaterThanOrEqual(light - 0.05)
    expect(contrast(token, ground, 'dark')).toBeGreaterThanOrEqual(dark - 0.05)
  })

  test.each(['canvas', 'surface', 'sunken', 'hover'])('text can be read on %s in both themes', (ground) => {
    for (const theme of ['light', 'dark'] as const) {
      for (const token of ['ink', 'ink-2', 'ink-3', 'accent-ink', 'red-ink'])
        expect(contrast(token, ground, theme), `${token} ${theme}`).toBeGreaterThanOrEqual(text)
      for (const token of ['accent', 'red', 'line-strong'])
        expect(contrast(token, ground, theme), `${token} ${theme}`).toBeGreaterThanOrEqual(marks)
    }
  })

  test('the text of a filled button keeps its contrast while the pointer is over it', () => {
    for (const theme of ['light', 'dark'] as const)
      expect(contrast('on-accent', 'accent-hover', theme)).toBeGreaterThanOrEqual(text)
  })
})
