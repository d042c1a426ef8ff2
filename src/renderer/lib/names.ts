import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { AppState } from '#contract/bridge/app.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import { bridgeEvents } from '#contract/bridge/events.ts'
import { bridge } from '#renderer/bridge/bridge.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { call } from '#renderer/bridge/use-bridge.ts'
import { initialsOf } from '#domain/names.ts'
import { useSettings } from './app-state.ts'

/** Returns initials while names are hidden or the setting is unknown. */
export function useName(): (name: string) => string {
  const isHidden = useSettings()?.hide_names ?? true
  return useCallback((name) => (isHidden ? initialsOf(name) : name), [isHidden])
}

export function useToggleNames(): () => void {
  const { mutate } = useMutation({
    // A scope runs its mutations one after another, so the second of two quick presses undoes the first.
    scope: { id: 'names' },
    mutationFn: async () => {
      if ((await phaseOnceStarted()) === 'ready') await toggleNames()
    },
  })
  return useCallback(() => mutate(), [mutate])
}

async function toggleNames(): Promise<void> {
  const queryKey = ['settings.get', {}]
  const queryFn = () => call('settings.get', {})
  const settings = await queryClient.fetchQuery({ queryKey, queryFn, staleTime: Infinity })
  const hide_names = !settings.hide_names
  // Hide at once and never roll back: the user may need names hidden immediately, even if saving fails.
  queryClient.setQueryData<Settings>(queryKey, (known) => known && { ...known, hide_names })
  await call('settings.update', { hide_names })
}

async function phaseOnceStarted(): Promise<AppState['phase']> {
  const started = Promise.withResolvers<AppState['phase']>()
  const settle = ({ phase }: AppState): void => {
    if (phase !== 'starting') started.resolve(phase)
  }
  const stop = bridge.on((name, payload) => {
    const changed = name === 'app.changed' ? bridgeEvents[name].safeParse(payload) : null
    if (changed?.success) settle(changed.data)
  })
  call('app.state', {}).then(settle, started.reject)
  return started.promise.finally(stop)
}
