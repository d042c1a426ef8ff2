/**
 * Saves after a pause in editing, one save at a time, each with the version that it changes:
 * still -> changed -(pause)-> saving -> still | changed (edited during the save) | stale | failed
 * failed -(edit)-> changed; failed -(flush)-> saving; stale -(replace)-> still
 * A failed save never drops the text. In `stale` nothing is saved until the therapist loads the stored version.
 */
export type SaveState = 'still' | 'changed' | 'saving' | 'stale' | 'failed'

export interface AutosaveState<Record> {
  readonly record: Record
  readonly save: SaveState
}

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

export function createAutosave<Record extends Versioned>(first: Record, ports: AutosavePorts<Record>) {
  let state: AutosaveState<Record> = { record: first, save: 'still' }
  let cancelTimer = (): void => {}
  let running: Promise<void> | null = null
  const listeners = new Set<() => void>()

  const set = (next: Partial<AutosaveState<Record>>): void => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }

  const saveOnce = async (): Promise<void> => {
    const sent = state.record
    set({ save: 'saving' })
    try {
      const stored = await ports.save(sent)
      const isEdited = state.record !== sent
      set({ record: isEdited ? ports.merge(stored, state.record) : stored, save: isEdited ? 'changed' : 'still' })
    } catch (failure) {
      set({ save: ports.isStale(failure) ? 'stale' : 'failed' })
    }
  }

  const flush = async (): Promise<Record | null> => {
    cancelTimer()
    while (running !== null || state.save === 'changed' || state.save === 'failed') {
      running ??= saveOnce().finally(() => (running = null))
      await running
      if (state.save === 'stale' || state.save === 'failed') return null
    }
    return state.save === 'still' ? state.record : null
  }

  return {
    getState: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: (edit: (record: Record) => Record): void => {
      const record = edit(state.record)
      if (record === state.record) return
      set({ record, save: state.save === 'stale' || state.save === 'saving' ? state.save : 'changed' })
      cancelTimer()
      cancelTimer = ports.later(() => void flush())
    },
    flush,
    /** Accepts a newer version from the core, unless there are unsaved edits. */
    adopt: (record: Record): void => {
      if (state.save === 'still' && record.version > state.record.version) set({ record })
    },
    replace: (record: Record): void => {
      cancelTimer()
      set({ record, save: 'still' })
    },
  }
}
