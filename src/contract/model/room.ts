import { z } from 'zod'
import { weeklyStretchSchema } from './availability.ts'
import { lineSchema, recordFields, timeZoneSchema } from './common.ts'

const roomBody = {
  name: lineSchema.min(1, 'a name is needed'),
  /** People, the clinician included. */
  capacity: z.int().min(1).max(200).default(3),
  time_zone: timeZoneSchema.default('UTC'),
  /** When it is open; without any stretch, always. */
  open: z.array(weeklyStretchSchema).max(70).default([]),
  status: z.enum(['active', 'archived']).default('active'),
}

/** Where people meet. */
export const roomDraftSchema = z.object(roomBody)
export const roomSchema = z.object({ ...roomBody, ...recordFields })

export type RoomDraft = z.infer<typeof roomDraftSchema>
export type Room = z.infer<typeof roomSchema>
