import { useCallback } from 'react'
import { initialsOf } from './initials.ts'
import { useSettings } from './use-settings.ts'

/** Every name on the screen and in accessible names goes through this: initials while names are hidden. */
export function useName(): (name: string) => string {
  const isHidden = useSettings()?.hide_names ?? false
  return useCallback((name) => (isHidden ? initialsOf(name) : name), [isHidden])
}
