import type { MovingState } from '#contract/bridge/moving.ts'

export type DemoMoving = 'looked' | 'refused' | 'sending' | 'quota' | 'key' | 'checked' | 'differs' | 'confirmed' | 'undone'

const look: NonNullable<MovingState['look']> = {
  looked_at: '2026-11-24T13:58:00.000Z',
  service: 'Clinical Documentation Service',
  practice: 'Lindenhof Practice',
  person: { id: '01930000-0000-7000-8000-0000000000a1', name: 'Dr. Ana Ruiz', roles: ['clinician'] },
  key_ends_at: null,
  there: { ours: 0, others: 0, more: false },
  send: {
    clients: 38,
    sessions: 412,
    consents: 41,
    transcripts: 187,
    notes: 390,
    signed_notes: 381,
    addenda: 12,
    templates: 2,
    recordings: 1,
  },
  laptop_consents: 39,
  days: 6,
  problems: [
    { code: 'consents-say-laptop', blocking: false },
    { code: 'consent-asserted', blocking: false },
    { code: 'takes-days', blocking: false },
  ],
}

const none: MovingState = {
  phase: 'none',
  address: null,
  has_key: false,
  look: null,
  total: 0,
  sent: 0,
  checked: 0,
  waiting: null,
  differences: [],
  differing: 0,
  old_store: 'in_use',
}

const going: MovingState = {
  ...none,
  phase: 'sending',
  address: 'https://practice.example/v1',
  has_key: true,
  look,
  total: 1070,
  sent: 412,
  checked: 380,
}
const checked: MovingState = { ...going, phase: 'checked', sent: 1070, checked: 1070 }

const states: Readonly<Record<DemoMoving, MovingState>> = {
  looked: { ...going, phase: 'looked', sent: 0, checked: 0 },
  refused: {
    ...going,
    phase: 'looked',
    sent: 0,
    checked: 0,
    look: { ...look, person: { ...look.person!, roles: ['front_desk'] }, problems: [{ code: 'role', blocking: true }] },
  },
  sending: going,
  quota: { ...going, waiting: { reason: 'quota', until: '2026-11-25T00:00:00.000Z' } },
  key: { ...going, waiting: { reason: 'key', until: null } },
  checked,
  differs: {
    ...checked,
    checked: 1068,
    differing: 2,
    differences: [
      {
        kind: 'client',
        id: '01930000-0000-7000-8000-0000000000b1',
        client_name: 'Maren Voss',
        session_at: null,
        code: 'differs',
        fields: ['phone', 'date_of_birth'],
      },
      {
        kind: 'session',
        id: '01930000-0000-7000-8000-0000000000b2',
        client_name: 'Samuel Okafor',
        session_at: '2026-12-01T14:00:00.000Z',
        code: 'double-booking',
        fields: [],
      },
    ],
  },
  confirmed: { ...none, phase: 'confirmed', address: 'https://practice.example/v1', look, old_store: 'kept' },
  undone: { ...going, phase: 'undone' },
}

export const demoMoving = (which: DemoMoving | undefined): MovingState => (which === undefined ? none : states[which])
