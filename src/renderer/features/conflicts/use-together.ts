import { useState } from 'react'
import type { Conflict } from '#contract/bridge/conflicts.ts'
import type { Note } from '#contract/model/note.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { carriedOver, isStill, startTogether, type Together } from './together.ts'

type OfNote = Extract<Conflict, { kind: 'document'; record: 'note' }>

const isDraft = ({ signature, status }: Note): boolean => signature === null || status === 'returned'

/** Only notes that are unsigned or were returned can be merged. For other records, the therapist chooses one version. */
export function mayWriteTogether(conflict: Conflict): conflict is OfNote {
  if (conflict.kind !== 'document' || conflict.record !== 'note' || conflict.decided_at !== null) return false
  return conflict.choices.length === 2 && isDraft(conflict.mine) && isDraft(conflict.theirs)
}

export interface WritingTogether {
  readonly together: Together
  readonly set: (together: Together) => void
  readonly forget: () => void
}

const written = 'written-together'
/** Never garbage-collected, because unsaved text exists only here. */
queryClient.setQueryDefaults([written], { gcTime: Infinity })

/** The merged draft survives page changes and is removed when the records lock. Null if the conflict can't be merged. */
export function useTogether(conflict: Conflict): WritingTogether | null {
  const queryKey = [written, conflict.id]
  const [kept, setKept] = useState(() => queryClient.getQueryData<Together>(queryKey))
  if (!mayWriteTogether(conflict)) return null
  return {
    together: togetherNow(kept, startTogether(conflict.mine, conflict.theirs)),
    set(together) {
      setKept(together)
      queryClient.setQueryData<Together>(queryKey, together)
    },
    forget: () => queryClient.removeQueries({ queryKey }),
  }
}

function togetherNow(kept: Together | undefined, fresh: Together): Together {
  if (kept === undefined) return fresh
  return isStill(kept, fresh) ? kept : carriedOver(kept, fresh)
}
