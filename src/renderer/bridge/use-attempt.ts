import { useState } from 'react'
import type { ErrorCode } from '#contract/errors.ts'
import { failureCode } from './use-bridge.ts'

/** Something a person asked for: what is being done while it is, and why it could not be. */
export function useAttempt<What extends string>() {
  const [doing, setDoing] = useState<What | null>(null)
  const [error, setError] = useState<ErrorCode | null>(null)
  const attempt = async (what: What, act: () => Promise<unknown>): Promise<ErrorCode | null> => {
    setDoing(what)
    setError(null)
    try {
      await act()
      return null
    } catch (failure) {
      const code = failureCode(failure)
      setError(code)
      return code
    } finally {
      setDoing(null)
    }
  }
  return { doing, error, attempt }
}
