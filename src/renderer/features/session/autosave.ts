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
  /** The stored version, if another one may be merged into it. */
  readonly newer?: (() => Promise<Record | null>) | undefined
  /** Repeats on `newer` what was changed since `base`; null if a person must decide. */
  readonly rebase?: ((newer: Record, base: Record, local: Record) => Record | null) | undefined
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
 * Saves after a pause in editing, one save at a time. A failed save keeps the text. If another version was stored meanwhile, the
 * changes are repeated on it. If they can't be, the state is `stale`, and nothing is saved until `replace` is called with that
 * version.
 */
export function createAutosave<Record extends Versioned>(first: Record, ports: AutosavePorts<Record>) {
  const initial: { readonly record: Record; readonly save: SaveState } = { record: first, save: 'still' }
  const { get: getState, set, subscribe } = createStore(initial)
  let cancelTimer = (): void => {}
  let running: Promise<void> | null = null
  let base = first
  let isRebased = false

  const saveOnce = async (): Promise<void> => {
    const sent = getState().record
    set({ save: 'saving' })
    try {
      const stored = await ports.save(sent)
      const isEdited = getState().record !== sent
      base = stored
      set({ record: isEdited ? ports.merge(stored, getState().record) : stored, save: isEdited ? 'changed' : 'still' })
    } catch (failure) {
      if (!ports.isStale(failure)) return set({ save: 'failed' })
      const newer = (await ports.newer?.().catch(() => null)) ?? null
      const record = newer && newer.version > base.version ? (ports.rebase?.(newer, base, getState().record) ?? null) : null
      if (newer === null || record === null) return set({ save: 'stale' })
      base = newer
      isRebased = true
      set({ record, save: 'changed' })
    }
  }

  /** @returns null if something is unsaved, or if it was saved with changes that the user has not seen */
  const flush = async (): Promise<Record | null> => {
    cancelTimer()
    isRebased = false
    while (running !== null || getState().save === 'changed' || getState().save === 'failed') {
      running ??= saveOnce().finally(() => (running = null))
      await running
      if (getState().save === 'stale' || getState().save === 'failed') return null
    }
    return getState().save === 'still' && !isRebased ? getState().record : null
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
      if (getState().save === 'still' && record.version > getState().record.version) set({ record: (base = record) })
    },
    replace: (record: Record): void => {
      cancelTimer()
      set({ record: (base = record), save: 'still' })
    },
  }
}
