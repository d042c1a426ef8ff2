import type { OutboxItem, OutboxStatus, SentToday } from '#contract/bridge/library.ts'

const id = (number: number): string => `0199b0a0-0000-7000-8006-${String(number).padStart(12, '0')}`
/** The records' own Tuesday. */
const at = (hour: number, minute: number): string => new Date(2026, 10, 24, hour, minute).toISOString()

const item = (number: number, more: Partial<OutboxItem>): OutboxItem => ({
  id: id(number),
  kind: 'put-note',
  client_name: 'Lena Marsh',
  created_at: at(9, 52),
  state: 'waiting',
  attempts: 0,
  error: null,
  progress: null,
  waits_for: [],
  next_attempt_at: null,
  first: false,
  asked: false,
  ...more,
})

const recording = item(2, { kind: 'transcribe', client_name: 'Ada and Jonah Pell', created_at: at(12, 20), attempts: 1 })

/** What waits on a laptop that keeps everything to itself. */
const here: readonly OutboxItem[] = [
  item(1, { kind: 'sign-note', client_name: 'Teo Lindqvist', created_at: at(9, 58) }),
  { ...recording, state: 'sending' },
  item(3, { kind: 'transcribe', client_name: 'Ines Caldeira', state: 'needs_you', error: 'engine-not-ready', attempts: 1 }),
  item(4, { kind: 'update-client' }),
]

/** What waits for a practice. */
const away: readonly OutboxItem[] = [
  item(3, { kind: 'create-session', client_name: 'Priya Nandakumar', state: 'needs_you', error: 'double-booking', attempts: 1 }),
  item(5, { kind: 'sign-note', client_name: 'Teo Lindqvist', created_at: at(9, 58), first: true }),
  { ...recording, progress: 0.79 },
  item(6, {
    kind: 'draft-note',
    client_name: 'Ada and Jonah Pell',
    created_at: at(12, 21),
    waits_for: [{ id: recording.id, kind: 'transcribe', needs_you: false }],
  }),
  item(7, {
    kind: 'put-transcript',
    client_name: 'Priya Nandakumar',
    created_at: at(11, 3),
    waits_for: [{ id: id(3), kind: 'create-session', needs_you: true }],
  }),
  item(8, { kind: 'update-client', attempts: 2, error: 'internal', next_attempt_at: at(14, 3) }),
]

/** Three weeks without a network: what there is to send of each session. */
const kinds = ['create-session', 'transcribe', 'put-transcript', 'put-note', 'sign-note'] as const
const names = ['Ines Caldeira', 'Samuel Okonkwo-Bright', 'Ada and Jonah Pell', 'Kofi Amadi-Reyes', 'Wes Halloran']
const weeks: readonly OutboxItem[] = Array.from({ length: 200 }, (_, index) =>
  item(100 + index, {
    kind: kinds[index % kinds.length]!,
    client_name: names[Math.floor(index / kinds.length) % names.length]!,
    created_at: new Date(2026, 10, 3 + Math.floor(index / 10), 9 + (index % 8), (index * 7) % 60).toISOString(),
    waits_for: index % kinds.length === 2 ? [{ id: id(99 + index), kind: 'transcribe', needs_you: false }] : [],
  }),
)

/** `weeks`: offline for three of them. */
export type DemoOutbox = 'here' | 'weeks' | OutboxStatus['phase']

const sent = (number: number, kind: string, client_name: string, minute: number, fields: string[] = []) => ({
  id: id(200 + number),
  kind,
  client_name,
  fields,
  sent_at: at(8, minute),
})

/** What went today, where there is somewhere to send to. */
export function demoSent(phase: DemoOutbox = 'here'): SentToday {
  if (phase === 'here') return { items: [], total: 0 }
  const items = [
    sent(1, 'give-consent', 'Kofi Amadi-Reyes', 41),
    sent(2, 'create-session', 'Wes Halloran', 15),
    sent(3, 'update-client', 'Lena Marsh', 15, ['phone']),
    sent(4, 'transcribe', 'Teo Lindqvist', 12),
  ]
  return phase === 'weeks' ? { items: [], total: 0 } : { items, total: items.length }
}

const none: OutboxStatus = {
  waiting: 0,
  needs_you: 0,
  sending: false,
  service: 'embedded',
  reachable: true,
  phase: 'saved',
  resumes_at: null,
  done: 0,
  total: 0,
  conflicts: 0,
  asked: 0,
  quota: null,
}

/** @param phase `here`: nothing leaves this laptop */
export function demoOutbox(phase: DemoOutbox = 'here', isEmpty = false): { items: OutboxItem[]; status: OutboxStatus } {
  if (isEmpty) return { items: [], status: none }
  if (phase === 'here')
    return { items: [...here], status: { ...none, waiting: 3, needs_you: 1, sending: true, phase: 'sending', done: 1, total: 4 } }
  if (phase === 'weeks') {
    const stuck = item(9, {
      kind: 'transcribe',
      client_name: 'Ines Caldeira',
      state: 'needs_you',
      error: 'engine-not-ready',
      attempts: 1,
    })
    const offline = { service: 'remote', reachable: false, phase: 'offline', resumes_at: at(14, 3) } as const
    return { items: [stuck, ...weeks.slice(1)], status: { ...none, ...offline, waiting: 240, needs_you: 1, total: 240 } }
  }
  const remote: OutboxStatus = { ...none, service: 'remote', phase, reachable: phase !== 'offline', sending: phase === 'sending' }
  if (phase === 'saved') return { items: [], status: remote }
  const quota = { limit: 100, remaining: phase === 'quota' ? 0 : 37, resets_at: at(24, 0) }
  const resumes_at = { quota: at(24, 0), offline: at(14, 3), backing_off: at(14, 3) }[phase as string] ?? null
  const items = away.map((one, index) => (phase === 'sending' && index === 2 ? { ...one, state: 'sending' as const } : one))
  return { items, status: { ...remote, waiting: 5, needs_you: 1, done: 7, total: 12, quota, resumes_at } }
}
