import { useEffect } from 'react'
import './kept-focus.css'

/** A dialog gives the focus back by itself, a frame after it closed. */
const overlays = '.ui-scrim, .ui-popover'
const places = '[tabindex], [role=tabpanel], section, form, li, main'

/**
 * Where what had the focus goes away (a step was done, a row left), the focus goes to what stood around it: the next Tab
 * goes on from there, and not from the top of the window.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | null = null
    let around: readonly HTMLElement[] = []
    let frame = 0
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return
      last = target
      around = target.closest(overlays) === null ? placesAround(target) : []
    }
    const isLost = (): boolean => last !== null && !last.isConnected && document.activeElement === document.body
    const restore = (): void => {
      if (!isLost() || document.querySelector(overlays) !== null) return
      const place = around.find((element) => element.isConnected) ?? document.querySelector<HTMLElement>('main')
      if (place !== null) focusOnce(place)
    }
    const observer = new MutationObserver(() => {
      if (!isLost()) return
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => (frame = requestAnimationFrame(restore)))
    })
    document.addEventListener('focusin', onFocusIn)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', onFocusIn)
      observer.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [])
}

/** From the innermost. */
function placesAround(element: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  for (
    let place = element.parentElement?.closest<HTMLElement>(places);
    place;
    place = place.parentElement?.closest<HTMLElement>(places)
  )
    found.push(place)
  return found
}

/** No stop of the Tab key afterwards, and without a ring: nobody went there. */
function focusOnce(place: HTMLElement): void {
  const isStop = place.hasAttribute('tabindex')
  if (!isStop) place.tabIndex = -1
  place.dataset['keptFocus'] = ''
  const onBlur = (): void => {
    if (!isStop) place.removeAttribute('tabindex')
    delete place.dataset['keptFocus']
  }
  place.addEventListener('blur', onBlur, { once: true })
  place.focus({ preventScroll: true })
}
