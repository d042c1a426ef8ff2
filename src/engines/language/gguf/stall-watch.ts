/** Does something later; what it gives back calls that off. */
export type Later = (ms: number, act: () => void) => () => void

const systemLater: Later = (ms, act) => {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

export interface StallWatch {
  /** Something is waited for from now on; where something already was, the time goes on. */
  begin(): void
  /** A sign of life. */
  sign(): void
  /** Nothing is waited for any more. */
  rest(): void
}

export function stallWatch(ms: number, onStall: () => void, later: Later = systemLater): StallWatch {
  let callOff: (() => void) | null = null
  const rest = (): void => {
    callOff?.()
    callOff = null
  }
  const begin = (): void => {
    callOff ??= later(ms, onStall)
  }
  return {
    begin,
    rest,
    sign() {
      if (callOff === null) return
      rest()
      begin()
    },
  }
}
