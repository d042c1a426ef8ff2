import { type Query, QueryClient } from '@tanstack/react-query'
import type { WhoChanged } from '#contract/bridge/conflicts.ts'
import { bridgeEvents, type EventName, type EventPayload } from '#contract/bridge/events.ts'
import type { OutboxStatus } from '#contract/bridge/library.ts'
import type { MethodName } from '#contract/bridge/methods.ts'
import { bridge } from './bridge.ts'
import { forgetUnsentTexts } from './unsent-text.ts'
import { BridgeFailure } from './use-bridge.ts'

type RecordKind = EventPayload<'records.changed'>['kinds'][number]

/** Name prefixes of the queries to refetch when a kind of record changes. A conflict contains a version of its record. */
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
  sessions: ['sessions.', 'notes.payerChecks', 'clients.', 'consents.gate', 'search.', 'conflicts.list'],
  consents: ['consents.', 'clients.', 'sessions.', 'insights.'],
  recordings: ['recordings.', 'sessions.', 'recovery.lost'],
  transcripts: ['transcripts.', 'sessions.', 'search.', 'insights.', 'conflicts.list', 'recovery.lost'],
  templates: ['templates.', 'conflicts.list'],
  insights: ['insights.', 'clients.brief'],
  notes: ['notes.', 'sessions.', 'clients.', 'conflicts.list', 'recovery.lost'],
  conflicts: ['conflicts.'],
  recovery: ['recovery.'],
}

/** The core runs on this laptop, so answers stay fresh until the core announces a change. */
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
/** An unknown author may become known, so such an answer is stale after a minute. */
queryClient.setQueryDefaults([who], { staleTime: ({ state }) => (isNobody(state.data) ? 60_000 : Infinity) })

function invalidate(prefixes: readonly string[]): void {
  const predicate = ({ queryKey: [name] }: Query): boolean =>
    typeof name === 'string' && prefixes.some((prefix) => name.startsWith(prefix))
  const underWay = queryClient.getQueryCache().findAll({ fetchStatus: 'fetching', predicate })
  // invalidateQueries does not restart these queries, so refetch them once they are answered.
  const overtaken = underWay.filter((query) => query.state.data === undefined || !query.isActive())
  void queryClient.invalidateQueries({ predicate })
  for (const query of overtaken) readAgainOnceAnswered(query)
}

/** An answer on its way may be older than the change, but TanStack Query would mark it as fresh. */
function readAgainOnceAnswered(query: Query): void {
  query.fetch().then(
    () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }),
    () => {}, // a failed query is never fresh
  )
}

/** Stores a state that the core sent. Queries on their way are repeated, because their answers may be older. */
function accept(name: MethodName, state: unknown): void {
  const queryKey = [name, {}]
  const underWay = queryClient.getQueryCache().findAll({ queryKey, exact: true, fetchStatus: 'fetching' })
  queryClient.setQueryData(queryKey, state)
  for (const query of underWay) readAgainOnceAnswered(query)
}

function hear(name: EventName, payload: unknown): void {
  const parsed = bridgeEvents[name].safeParse(payload)
  if (!parsed.success) return
  switch (name) {
    case 'records.changed':
      invalidate([...new Set((parsed.data as EventPayload<'records.changed'>).kinds.flatMap((kind) => answersWith[kind]))])
      return
    case 'settings.changed':
      accept('settings.get', parsed.data)
      // The list of models depends on the spoken language, which is a setting.
      invalidate(['models.list', 'service.offers'])
      return
    case 'outbox.changed':
      hearOutbox(parsed.data as OutboxStatus)
      invalidate(['outbox.list', 'outbox.sentToday', 'service.offers'])
      return
    case 'recording.changed':
      invalidate(['recordings.get', 'recordings.active', 'recordings.recoverable', 'recordings.space', 'sessions.'])
      return
    case 'models.changed':
      accept('models.list', parsed.data)
      invalidate(['voices.'])
      return
    case 'moving.changed':
      accept('moving.state', parsed.data)
      invalidate(['moving.keyState'])
      return
    case 'updates.changed':
      accept('updates.state', parsed.data)
      return
    case 'app.changed':
      hearAppState(parsed.data as EventPayload<'app.changed'>)
      return
    case 'work.progress':
    case 'recording.saved':
    case 'app.closing':
    case 'app.locking':
    case 'app.resumed':
    case 'app.selfTest':
  }
}

function hearOutbox(status: OutboxStatus): void {
  const before = queryClient.getQueryData<OutboxStatus>(['outbox.status', {}])
  accept('outbox.status', status)
  if (isReached(before) || !isReached(status)) return
  // Authors unknown while offline can be looked up now.
  void queryClient.invalidateQueries({ predicate: ({ queryKey, state }) => queryKey[0] === who && isNobody(state.data) })
}

const isReached = (status: OutboxStatus | undefined): boolean => status?.phase === 'saved' || status?.phase === 'sending'
const isNobody = (answer: unknown): boolean => (answer as WhoChanged | undefined)?.who === null

function hearAppState(state: EventPayload<'app.changed'>): void {
  // The window must forget all record data when the records lock.
  if (state.phase !== 'ready') {
    // A restart of the core passes through `starting`, and must not cost what the user typed.
    if (state.phase !== 'starting') forgetUnsentTexts()
    void queryClient.cancelQueries({ predicate: ({ queryKey: [name] }) => name !== 'app.state' })
    queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'app.state' })
  }
  accept('app.state', state)
}

/** Call once per window. After a reconnect, all queries are refetched. */
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
