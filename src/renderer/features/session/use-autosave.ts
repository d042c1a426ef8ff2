import { useEffect, useState, useSyncExternalStore } from 'react'
import { beforeLocking } from '#renderer/bridge/closing.ts'
import { BridgeFailure } from '#renderer/bridge/use-bridge.ts'
import { createAutosave, type Autosave, type AutosaveState } from './autosave.ts'

interface Versioned {
  readonly id: string
  readonly version: number
}

interface Ports<Record> {
  readonly save: (record: Record) => Promise<Record>
  readonly merge: (stored: Record, local: Record) => Record
}

const quietMs = 500

/** The record as edited here, saved by itself; what is waiting is saved before the page goes. */
export function useAutosave<Record extends Versioned>(
  stored: Record,
  ports: Ports<Record>,
): { readonly state: AutosaveState<Record>; readonly autosave: Autosave<Record> } {
  const [autosave] = useState(() =>
    createAutosave(stored, {
      ...ports,
      isStale: (failure) => failure instanceof BridgeFailure && failure.code === 'stale-version',
      later: (run) => {
        const timer = setTimeout(run, quietMs)
        return () => clearTimeout(timer)
      },
    }),
  )
  const state = useSyncExternalStore(autosave.subscribe, autosave.getState)
  useEffect(() => autosave.adopt(stored), [autosave, stored])
  useEffect(() => () => void autosave.flush(), [autosave])
  useEffect(() => beforeLocking(() => autosave.flush()), [autosave])
  return { state, autosave }
}
