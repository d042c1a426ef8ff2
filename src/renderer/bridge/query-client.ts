import { type Query, QueryClient } from '@tanstack/react-query'
import type { WhoChanged } from '#contract/bridge/conflicts.ts'
import { bridgeEvents, type EventName, type EventPayload } from '#contract/bridge/events.ts'
import type { OutboxStatus } from '#contract/bridge/library.ts'
import type { MethodName } from '#contract/bridge/methods.ts'
import { bridge } from './bridge.ts'
import { forgetUnsentTexts } from './unsent-text.ts'
import { BridgeFailure } from './use-bridge.ts'

type RecordKind = EventPayload<'records.changed'>['kinds'][number]

const retention = 'recordings.retention' satisfies MethodName
const speech = ['transcripts.', 'dictations.']

const answersWith: Readonly<Record<RecordKind, readonly string[]>> = {
  clients: [
    'clients.',
    'sessions.',
    'search.',
    'recordings.active',
    'recordings.recoverable',
    'notes.payerChecks',
    'conflicts.list',
  ],
  sessions: ['sessions.', 'notes.payerChecks', 'clients.', 'consents.gate', 'search.', 'conflicts.list', 'figures.', retention],
  consents: ['consents.', 'clients.', 'sessions.', 'insights.', retention],
  recordings: ['recordings.', 'sessions.', 'recovery.lost'],
  transcripts: [...speech, 'notes.get', 'sessions.', 'search.', 'insights.', 'conflicts.list', 'recovery.lost', retention],
  templates: ['templates.', 'conflicts.list'],
  insights: ['insights.', 'clients.brief', 'clients.sessionGists'],
  notes: ['notes.', 'dictations.', 'sessions.', 'clients.', 'conflicts.list', 'recovery.lost', 'figures.', retention],
  conflicts: ['conflicts.'],
  recovery: ['recovery.'],
}

/** The core runs on this computer, so answers stay fresh by default until the core announces a change. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      retry: (count, error) => count < 3 && error instanceof BridgeFailure && error.code === 'service-unreachable',
      retryDelay: 300,
    },
    mutations: { networkMode: 'always' },
  },
})

const who = 'conflicts.who' satisfies MethodName
/** The author may become known later, so an answer without one is stale after a minute. */
queryClient.setQueryDefaults([who], { staleTime: ({ state }) => (isNobody(state.data) ? 60_000 : Infinity) })

function invalidate(prefixes: readonly string[]): void {
  const predicate = ({ queryKey: [name] }: Query): boolean =>
    typeof name === 'string' && prefixes.some((prefix) => name.startsWith(prefix))
  const underWay = queryClient.getQueryCache().findAll({ fetchStatus: 'fetching', predicate })
  // invalidateQueries does not restart these fetches, so refetch after they are answered.
  const overtaken = underWay.filter((query) => query.state.data === undefined || !query.isActive())
  void queryClient.invalidateQueries({ predicate })
  for (const query of overtaken) readAgainOnceAnswered(query)
}

/** A pending answer may be older than the change, but TanStack Query would mark it as fresh. */
function readAgainOnceAnswered(query: Query): void {
  query.fetch().then(
    () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }),
    () => {},
  )
}

function accept(name: MethodName, state: unknown): void {
  const queryKey = [name, {}]
  const underWay = queryClient.getQueryCache().findAll({ queryKey, exact: true, fetchStatus: 'fetching' })
  queryClient.setQueryData(queryKey, state)
  for (const query of underWay) readAgainOnceAnswered(query)
}

/** `answers`: the query whose answer the event contains. `outdates`: prefixes of the queries to refetch. */
const effects: Partial<Record<EventName, { readonly answers?: MethodName; readonly outdates?: readonly string[] }>> = {
  'settings.changed': { answers: 'settings.get', outdates: [...speech, 'models.list', 'service.offers', 'sessions.'] },
  'outbox.changed': { answers: 'outbox.status', outdates: ['outbox.list', 'outbox.sentToday', 'service.offers', retention] },
  'recording.changed': {
    outdates: ['recordings.get', retention, 'recordings.active', 'recordings.recoverable', 'recordings.space', 'sessions.'],
  },
  'models.changed': { answers: 'models.list', outdates: [...speech, 'voices.', 'sessions.'] },
  'moving.changed': { answers: 'moving.state', outdates: ['moving.keyState'] },
  'updates.changed': { answers: 'updates.state' },
  'app.changed': { answers: 'app.state' },
}

function hear(name: EventName, payload: unknown): void {
  const parsed = bridgeEvents[name].safeParse(payload)
  if (!parsed.success) return
  if (name === 'records.changed') {
    const { kinds } = parsed.data as EventPayload<'records.changed'>
    invalidate([...new Set(kinds.flatMap((kind) => answersWith[kind]))])
  }
  if (name === 'outbox.changed') askAgainWho(parsed.data as OutboxStatus)
  if (name === 'app.changed') forgetIfLocked(parsed.data as EventPayload<'app.changed'>)
  const { answers, outdates } = effects[name] ?? {}
  if (answers !== undefined) accept(answers, parsed.data)
  if (outdates !== undefined) invalidate(outdates)
}

/** Authors that were unknown while offline can be looked up once the service is reached. */
function askAgainWho(status: OutboxStatus): void {
  const before = queryClient.getQueryData<OutboxStatus>(['outbox.status', {}])
  if (isReached(before) || !isReached(status)) return
  void queryClient.invalidateQueries({ predicate: ({ queryKey, state }) => queryKey[0] === who && isNobody(state.data) })
}

const isReached = (status: OutboxStatus | undefined): boolean => status?.phase === 'saved' || status?.phase === 'sending'
const isNobody = (answer: unknown): boolean => (answer as WhoChanged | undefined)?.who === null

/** The window must forget all record data when the records lock. */
function forgetIfLocked({ phase }: EventPayload<'app.changed'>): void {
  if (phase === 'ready') return
  // A restart of the core passes through `starting`, and must not discard typed text.
  if (phase !== 'starting') forgetUnsentTexts()
  const predicate = ({ queryKey: [name] }: Query): boolean => name !== 'app.state'
  void queryClient.cancelQueries({ predicate })
  queryClient.removeQueries({ predicate })
}

export function listenToCore(): void {
  bridge.on((name, payload) => {
    if (Object.hasOwn(bridgeEvents, name)) hear(name as EventName, payload)
  })
  let wasLost = false
  bridge.onConnection((connected) => {
    if (connected && wasLost) void queryClient.invalidateQueries()
    wasLost = !connected
  })
}
