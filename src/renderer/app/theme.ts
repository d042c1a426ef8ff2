import { useEffect } from 'react'
import type { Settings } from '#contract/bridge/settings.ts'

type Theme = Settings['theme']

/** The theme is also in localStorage, because the lock screen needs it before the settings are readable. */
const keptUnder = 'afterword.theme'

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function applyKeptTheme(): void {
  const kept = localStorage.getItem(keptUnder)
  if (kept === 'light' || kept === 'dark') applyTheme(kept)
}

export function useTheme(theme: Theme | undefined): void {
  useEffect(() => {
    if (theme === undefined) return
    applyTheme(theme)
    localStorage.setItem(keptUnder, theme)
  }, [theme])
}
