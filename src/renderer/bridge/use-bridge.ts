import { keepPreviousData, useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { bridgeEvents, type EventName, type EventPayload } from '#contract/bridge/events.ts'
import { AppError, type ErrorCode, type FieldProblem } from '#contract/errors.ts'
import type { MethodInput, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import { bridge } from './bridge.ts'

export class BridgeFailure extends Error {
  override readonly name = 'BridgeFailure'
  readonly code: ErrorCode
  readonly detail: string | undefined
  readonly fields: readonly FieldProblem[]

  constructor(code: ErrorCode, detail?: string, fields: readonly FieldProblem[] = []) {
    super(code)
    this.code = code
    this.detail = detail
    this.fields = fields
  }
}

export async function call<Name extends MethodName>(name: Name, input: MethodInput<Name>): Promise<MethodOutput<Name>> {
  const answer = await bridge.call(name, input)
  if (answer.ok) return answer.value
  throw new BridgeFailure(answer.error.code, answer.error.detail, answer.error.fields)
}

export const failureCode = (error: unknown): ErrorCode =>
  error instanceof BridgeFailure || error instanceof AppError ? error.code : 'internal'

export const SPACE_EVERY_MS = 10_000
/** Sessions change with the time: one that ends owes a note. */
export const STATUS_EVERY_MS = 60_000

type CallOptions = Readonly<{ enabled?: boolean; keepPrevious?: boolean; everyMs?: number }>

export function useCall<Name extends MethodName>(
  name: Name,
  input: MethodInput<Name>,
  { enabled = true, keepPrevious = false, everyMs }: CallOptions = {},
): UseQueryResult<MethodOutput<Name>, BridgeFailure> {
  return useQuery<MethodOutput<Name>, BridgeFailure>({
    queryKey: [name, input],
    queryFn: () => call(name, input),
    enabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs, refetchOnMount: 'always' }),
    ...(keepPrevious ? { placeholderData: keepPreviousData as never } : {}),
  })
}

/** Calls `onSuccess` even if the component is unmounted by then. */
export function useAction<Name extends MethodName>(
  name: Name,
  onSuccess: (output: MethodOutput<Name>, input: MethodInput<Name>) => void = () => {},
): UseMutationResult<MethodOutput<Name>, BridgeFailure, MethodInput<Name>> {
  return useMutation<MethodOutput<Name>, BridgeFailure, MethodInput<Name>>({
    mutationFn: (input) => call(name, input),
    onSuccess,
  })
}

export function useBridgeEvent<Name extends EventName>(name: Name, onEvent: (payload: EventPayload<Name>) => void): void {
  const heard = useEffectEvent(onEvent)
  useEffect(
    () =>
      bridge.on((eventName, payload) => {
        if (eventName !== name) return
        const parsed = bridgeEvents[name].safeParse(payload)
        if (parsed.success) heard(parsed.data as EventPayload<Name>)
      }),
    [name],
  )
}

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

/** Returns the seconds until the app clears the clipboard, or null if the app does not clear it. */
export async function copyText(text: string): Promise<number | null> {
  await navigator.clipboard.writeText(text)
  return (await call('app.copied', {})).cleared_after_s
}

export function download(ticket: { readonly url: string; readonly file_name: string }): void {
  const link = document.createElement('a')
  link.href = ticket.url
  link.download = ticket.file_name
  document.body.append(link)
  link.click()
  link.remove()
}
