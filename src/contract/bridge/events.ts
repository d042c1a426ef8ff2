import { z } from 'zod'
import { idSchema, millisecondsSchema } from '../model/common.ts'
import { recordingSchema } from '../model/recording.ts'
import { modelListSchema } from '../model/speech-model.ts'
import { appStateSchema } from './app.ts'
import { outboxStatusSchema } from './library.ts'
import { movingStateSchema } from './moving.ts'
import { settingsSchema } from './settings.ts'
import { updateStateSchema } from './updates.ts'

export const bridgeEvents = {
  'app.changed': appStateSchema,
  'app.closing': z.object({}),
  'app.locking': z.object({}),
  /** Chosen in the menu bar. */
  'app.command': z.object({
    command: z.enum(['find', 'appointment', 'client', 'shortcuts', 'settings', 'today', 'clients', 'calendar', 'reports']),
  }),
  'app.resumed': z.object({}),
  'app.selfTest': z.object({ session_id: idSchema, record_ms: millisecondsSchema }),
  'settings.changed': settingsSchema,
  'records.changed': z.object({
    kinds: z.array(
      z.enum([
        'clients',
        'sessions',
        'consents',
        'recordings',
        'transcripts',
        'notes',
        'insights',
        'templates',
        'conflicts',
        'recovery',
      ]),
    ),
  }),
  'recording.changed': recordingSchema,
  'recording.saved': z.object({
    recording_id: idSchema,
    saved_ms: millisecondsSchema,
    peak: z.number(),
    rms: z.number(),
  }),
  'work.progress': z.object({
    session_id: idSchema,
    kind: z.enum(['transcribe', 'draft', 'analyze']),
    progress: z.number().min(0).max(1),
  }),
  /** Its result is stored. Without ids, because the system's notification must not lead to a client. */
  'work.finished': z.object({ kind: z.enum(['transcribe', 'draft', 'analyze']) }),
  'outbox.changed': outboxStatusSchema,
  'models.changed': modelListSchema,
  'moving.changed': movingStateSchema,
  'updates.changed': updateStateSchema,
} as const

export type EventName = keyof typeof bridgeEvents
export type EventPayload<Name extends EventName> = z.infer<(typeof bridgeEvents)[Name]>
export type Emit = <Name extends EventName>(name: Name, payload: EventPayload<Name>) => void
