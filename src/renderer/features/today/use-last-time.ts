import { useCall } from '#renderer/bridge/use-bridge.ts'
import { isSigned } from '#renderer/sessions/session-status.ts'

/** The first sentence of the plan in the last signed note before this session; null where there is none. */
export function useLastTime(clientId: string, before: string): string | null {
  const sessions = useCall('sessions.list', { client_id: clientId, to: before })
  const last = sessions.data?.findLast(isSigned)
  const note = useCall('notes.get', { session_id: last?.session.id ?? '' }, { enabled: last !== undefined })
  const sections = note.data?.note?.sections ?? []
  const plan = sections.find(({ key }) => key === 'plan') ?? sections.at(-1)
  return plan?.statements[0]?.text ?? null
}
