import { z } from 'zod'
import { weeklyStretchSchema } from './availability.ts'
import { lineSchema, recordFields, timeZoneSchema } from './common.ts'

const roomBody = {
  name: lineSchema.min(1, 'a name is needed').describe('Name of the room.'),
  capacity: z.int().min(1).max(200).default(3).describe('People the room holds, clinician included.'),
  time_zone: timeZoneSchema.default('UTC').describe('IANA time zone of the opening hours.'),
  open: z.array(weeklyStretchSchema).max(70).default([]).describe('When the room is open; empty: always.'),
  status: z.enum(['active', 'archived']).default('active').describe('Archived rooms are no longer booked.'),
}

export const roomDraftSchema = z.object(roomBody).meta({ id: 'RoomDraft', description: 'A room as stored by the caller.' })
export const roomSchema = z
  .object({ ...roomBody, ...recordFields })
  .meta({ id: 'Room', description: 'A room in which sessions take place.' })

export type RoomDraft = z.infer<typeof roomDraftSchema>
export type Room = z.infer<typeof roomSchema>
