import { describe, expect, test } from 'vitest'
import { keyName, mayAct } from '#renderer/lib/shortcuts.ts'

const press = (key: string, more: Partial<Parameters<typeof keyName>[0]> = {}) =>
  keyName({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })
const free = { inText: false, onControl: false, singleKeys: true }

describe('keys', () => {
  test('are named alike on every keyboard', () => {
    expect(press(' ')).toBe('Space')
    expect(press('P', { shiftKey: true })).toBe('p')
    expect(press('Enter', { metaKey: true })).toBe('Mod+Enter')
    expect(press('Enter', { ctrlKey: true })).toBe('Mod+Enter')
    expect(press('ArrowDown', { shiftKey: true })).toBe('Shift+ArrowDown')
  })

  test('single ones never act in a text field and can be switched off; Ctrl ones always act', () => {
    expect(mayAct('p', free)).toBe(true)
    expect(mayAct('p', { ...free, inText: true })).toBe(false)
    expect(mayAct('p', { ...free, singleKeys: false })).toBe(false)
    expect(mayAct('Space', { ...free, singleKeys: false })).toBe(false)
    expect(mayAct('ArrowDown', { ...free, singleKeys: false })).toBe(true)
    expect(mayAct('Mod+Enter', { inText: true, onControl: true, singleKeys: false })).toBe(true)
  })

  test('a button keeps its own Space and Enter, a slider its arrows', () => {
    for (const key of ['Space', 'Enter', 'ArrowLeft', 'ArrowDown']) expect(mayAct(key, { ...free, onControl: true })).toBe(false)
    expect(mayAct('n', { ...free, onControl: true })).toBe(true)
  })
})
