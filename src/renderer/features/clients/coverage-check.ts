import { useEffect, useEffectEvent, useState } from 'react'
import type { ClientCoverage } from '#contract/bridge/coverage.ts'
import type { MethodInput } from '#contract/bridge/methods.ts'
import type { Client } from '#contract/model/client.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { type BridgeFailure, useAction } from '#renderer/bridge/use-bridge.ts'

type Subscriber = NonNullable<MethodInput<'coverage.check'>['subscriber']>

export interface Checking {
  readonly isPending: boolean
  /** A minute passed without an answer; the service goes on asking. */
  readonly isStillAsking: boolean
  /** The plan is somebody else's: whose, is being asked. */
  readonly isAskingHolder: boolean
  readonly error: BridgeFailure | null
  readonly start: () => void
  readonly ask: (subscriber?: Subscriber) => void
  readonly cancel: () => void
  /** Whether the answer has come. */
  readonly look: () => void
}

const lookEveryMs = 15_000

export function useCoverageCheck(client: Client, coverage: ClientCoverage): Checking {
  const check = useAction('coverage.check')
  const [isAskingHolder, setAskingHolder] = useState(false)
  /** The newest check while the service was left asking; false: it is not asking. */
  const [asking, setAsking] = useState<string | null | false>(false)
  const newest = coverage.checks[0]?.id ?? null
  const isStillAsking = asking !== false && asking === newest
  const key = ['coverage.get', { client_id: client.id }]
  const look = (): void => void queryClient.invalidateQueries({ queryKey: key })
  const lookAgain = useEffectEvent(look)
  useEffect(() => {
    if (!isStillAsking) return
    const timer = setInterval(() => lookAgain(), lookEveryMs)
    return () => clearInterval(timer)
  }, [isStillAsking])
  const ask = (subscriber?: Subscriber): void => {
    if (check.isPending) return
    setAskingHolder(false)
    setAsking(false)
    check.mutate(
      { client_id: client.id, ...(subscriber === undefined ? {} : { subscriber }) },
      {
        onSuccess: ({ coverage: told, is_still_asking }) => {
          queryClient.setQueryData(key, told)
          if (is_still_asking) setAsking(told.checks[0]?.id ?? null)
        },
        // A check that failed may stand among the checks.
        onError: look,
      },
    )
  }
  return {
    isPending: check.isPending,
    isStillAsking,
    isAskingHolder,
    error: check.error,
    start: () => (client.insurance?.relationship === 'self' ? ask() : setAskingHolder(true)),
    ask,
    cancel: () => setAskingHolder(false),
    look,
  }
}
