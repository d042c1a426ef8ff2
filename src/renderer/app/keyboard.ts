import { useEffectEvent, useLayoutEffect } from 'react'

export type Shortcut = Readonly<{ key: string; command?: boolean; shift?: boolean; onKey: () => void }>

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [role=textbox]')
  )
}

/** A single character without Ctrl or Cmd does nothing while the user types in a field. */
export function useShortcuts(shortcuts: readonly Shortcut[], isOn = true): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    const isCommand = event.ctrlKey || event.metaKey
    const shortcut = shortcuts.find(
      (candidate) =>
        candidate.key === event.key.toLowerCase() &&
        (candidate.command ?? false) === isCommand &&
        (candidate.shift === undefined || candidate.shift === event.shiftKey),
    )
    if (!shortcut) return
    if (!isCommand && shortcut.key.length === 1 && isTyping(event.target)) return
    event.preventDefault()
    shortcut.onKey()
  })
  // A layout effect, because shortcuts must work as soon as their controls are visible.
  useLayoutEffect(() => {
    if (!isOn) return undefined
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [isOn])
}

export function focusNextRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter((region) => region.offsetParent !== null)
  if (regions.length === 0) return
  const current = regions.findIndex((region) => region.contains(document.activeElement))
  const next = current === -1 ? (step === 1 ? 0 : regions.length - 1) : (current + step + regions.length) % regions.length
  const region = regions[next]
  if (!region) return
  if (region.hasAttribute('tabindex')) {
    region.focus()
    return
  }
  const inside = [...region.querySelectorAll<HTMLElement>('a[href], button:not([disabled]), input:not([disabled])')]
  inside.find((element) => element.offsetParent !== null)?.focus()
}
