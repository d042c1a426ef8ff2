import { useEffect, useRef } from 'react'

export type Shortcuts = Readonly<Record<string, () => void>>

type KeyLike = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

export function keyName(event: KeyLike): string {
  const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toLowerCase() : event.key
  const modifier = event.ctrlKey || event.metaKey ? 'Mod+' : ''
  const alt = event.altKey ? 'Alt+' : ''
  // Characters get no `Shift+`, because it depends on the keyboard layout which of them need Shift.
  const shift = event.shiftKey && key.length > 1 ? 'Shift+' : ''
  return `${modifier}${alt}${shift}${key}`
}

export function mayAct(
  name: string,
  where: { readonly inText: boolean; readonly onControl: boolean; readonly singleKeys: boolean },
): boolean {
  if (name.startsWith('Mod+')) return true
  if (where.inText) return false
  if (where.onControl && ['Space', 'Enter', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(name)) return false
  const isSingle = name.length === 1 || name === 'Space'
  return !isSingle || where.singleKeys
}

export const onEnter =
  (act: () => void) =>
  (event: { readonly key: string; preventDefault(): void }): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    act()
  }

const textFields = 'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable=true]'
const controls = 'button, a[href], [role=slider], [role=tab], [role=menuitem], [role=option], [role=radio], input'
const overlays = '.ui-scrim, .ui-popover'

export function useShortcuts(shortcuts: Shortcuts, singleKeys: boolean): void {
  const latest = useRef({ shortcuts, singleKeys })
  useEffect(() => {
    latest.current = { shortcuts, singleKeys }
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || document.querySelector(overlays) !== null) return
      const name = keyName(event)
      const act = latest.current.shortcuts[name]
      if (act === undefined) return
      const target = event.target instanceof Element ? event.target : null
      const where = {
        inText: target?.closest(textFields) != null,
        onControl: target?.closest(controls) != null,
        singleKeys: latest.current.singleKeys,
      }
      if (!mayAct(name, where) || (event.repeat && name.length === 1)) return
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [])
}
