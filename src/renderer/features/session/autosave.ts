import { createStore } from '#renderer/recorder/recorder-state.ts'

export type SaveState = 'still' | 'changed' | 'saving' | 'stale' | 'failed'

export type Autosave<Record extends Versioned> = ReturnType<typeof createAutosave<Record>>

interface Versioned {
  readonly version: number
}

export interface AutosavePorts<Record> {
  readonly save: (record: Record) => Promise<Record>
  readonly merge: (stored: Record, local: Record) => Record
  readonly isStale: (failure: unknown) => boolean
  readonly later: (run: () => void) => () => void
}

/** Waits for a pause of `quiet` ms in editing, and at most `max` ms after an edit. */
export function afterPause(quiet: number, max: number): AutosavePorts<never>['later'] {
  let first: number | null = null
  return (run) => {
    first ??= performance.now()
    const wait = Math.min(quiet, Math.max(0, first + max - performance.now()))
    const timer = setTimeout(() => {
      first = null
      run()
    }, wait)
    return () => clearTimeout(timer)
  }
}

/**
 * Saves after a pause in editing, one save at a time. A failed save keeps the text. In the `stale` state, nothing is saved until
 * `replace` is called with the stored version.
 */
export function createAutosave<Record extends Versioned>(first: Record, ports: AutosavePorts<Record>) {
  const initial: { readonly record: Record; readonly save: SaveState } = { record: first, save: 'still' }
  const { get: getState, set, subscribe } = createStore(initial)
  let cancelTimer = (): void => {}
  let running: Promise<void> | null = null

  const saveOnce = async (): Promise<void> => {
    const sent = getState().record
    set({ save: 'saving' })
    try {
      const stored = await ports.save(sent)
      const isEdited = getState().record !== sent
      set({ record: isEdited ? ports.merge(stored, getState().record) : stored, save: isEdited ? 'changed' : 'still' })
    } catch (failure) {
      set({ save: ports.isStale(failure) ? 'stale' : 'failed' })
    }
  }

  const flush = async (): Promise<Record | null> => {
    cancelTimer()
    while (running !== null || getState().save === 'changed' || getState().save === 'failed') {
      running ??= saveOnce().finally(() => (running = null))
      await running
      if (getState().save === 'stale' || getState().save === 'failed') return null
    }
    return getState().save === 'still' ? getState().record : null
  }

  return {
    getState,
    subscribe,
    change: (edit: (record: Record) => Record): void => {
      const record = edit(getState().record)
      if (record === getState().record) return
      set({ record, save: getState().save === 'stale' || getState().save === 'saving' ? getState().save : 'changed' })
      cancelTimer()
      cancelTimer = ports.later(() => void flush())
    },
    flush,
    adopt: (record: Record): void => {
      if (getState().save === 'still' && record.version > getState().record.version) set({ record })
    },
    replace: (record: Record): void => {
      cancelTimer()
      set({ record, save: 'still' })
    },
  }
}
