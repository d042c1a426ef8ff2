import type { Handlers } from '#contract/bridge/methods.ts'
import type { UpdateState } from '#contract/bridge/updates.ts'

export type DemoUpdates =
  | 'preview'
  | 'idle'
  | 'up to date'
  | 'available'
  | 'package'
  | 'downloading'
  | 'recording'
  | 'ready'
  | 'failed'

const offered = {
  version: '0.2.0',
  released_at: '2026-11-30T15:00:00.000Z',
  notes:
    'Appointments can be moved, canceled and marked as a no-show.\nDates and times follow your computer’s settings.\n\nFixed:\n- Recording continues after the laptop wakes up.\n- The transcript page opens faster for long sessions.',
  bytes: 112_000_000,
  address: null,
}
const nothing: UpdateState = {
  delivery: 'install',
  phase: 'idle',
  offered: null,
  progress: null,
  failure: null,
  obstacle: null,
  checked_at: null,
}
const found: UpdateState = { ...nothing, offered, checked_at: '2026-11-24T14:02:00.000Z' }

export const demoUpdateStates: Readonly<Record<DemoUpdates, UpdateState>> = {
  preview: { ...nothing, delivery: 'preview' },
  idle: nothing,
  'up to date': { ...found, phase: 'up-to-date', offered: null },
  available: { ...found, phase: 'available' },
  package: {
    ...found,
    delivery: 'notify',
    phase: 'available',
    offered: { ...offered, address: 'https://updates.example/stable/afterword_0.2.0_amd64.deb' },
  },
  downloading: { ...found, phase: 'downloading', progress: 0.42 },
  recording: { ...found, phase: 'ready', obstacle: 'recording' },
  ready: { ...found, phase: 'ready' },
  failed: { ...nothing, phase: 'failed', failure: 'feed-unsigned' },
}

/** Answers with one state, whatever is asked. */
export function demoUpdates(
  name: DemoUpdates = 'preview',
): Handlers<'updates.state' | 'updates.check' | 'updates.download' | 'updates.install'> {
  const state = (): UpdateState => demoUpdateStates[name]
  return { 'updates.state': state, 'updates.check': state, 'updates.download': state, 'updates.install': state }
}
