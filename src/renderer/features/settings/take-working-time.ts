import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'

/** The service's answer to a change is what holds from now on, here and in the Week. */
export function takeWorkingTime(told: WorkingTime): void {
  queryClient.setQueryData(['schedule.workingTime', {}], told)
}
