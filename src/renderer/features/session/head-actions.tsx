import { useEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { actionsId } from './session-head.tsx'

/** Puts a tab's buttons into the head of the session, which stays while the tab scrolls. */
export function HeadActions({ children }: { readonly children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useEffect(() => setPlace(document.getElementById(actionsId)), [])
  return place === null ? null : createPortal(children, place)
}
