import { availabilityDraftSchema, availabilitySchema, roomDraftSchema, roomSchema } from '../model/availability.ts'
import { idSchema, pageOf, pageQuerySchema } from '../model/common.ts'
import { followingAnswerSchema, followingPatchSchema } from '../model/schedule.ts'
import { changing, clinical, everyone, get, one, page, patch, put, reach, storing, type Reaches } from './route.ts'

const schedulers = reach({ owner: 'all', clinician: 'own', supervisor: 'supervised', front_desk: 'all' })

const rescheduling: Reaches = { ...clinical, front_desk: 'limited' }

export const roomRoutes = {
  listRooms: get('/rooms', 'List rooms', everyone, page(roomSchema)),
  getRoom: get('/rooms/{id}', 'One room', everyone, one('room', roomSchema)),
  putRoom: put(
    '/rooms/{id}',
    'Store a room, new or changed',
    reach({ owner: 'all', front_desk: 'all' }),
    storing('room', roomDraftSchema, roomSchema),
  ),
  listAvailability: get('/availability', 'List working hours, time off and closures', schedulers, {
    query: pageQuerySchema.extend({
      clinician_id: idSchema.optional().describe('Only entries of this clinician, and those that hold for everyone.'),
    }),
    answers: { 200: pageOf(availabilitySchema) },
    failures: ['not-found'],
  }),
  getAvailability: get(
    '/availability/{id}',
    'Working hours, time off or a closure',
    schedulers,
    one('entry', availabilitySchema),
  ),
  putAvailability: put(
    '/availability/{id}',
    'Store working hours, time off or a closure, new or changed',
    schedulers,
    storing('entry', availabilityDraftSchema, availabilitySchema),
  ),
  updateFollowing: patch(
    '/sessions/{id}/following',
    'Change or call off this session of a series and all after it',
    rescheduling,
    changing('session', followingPatchSchema, followingAnswerSchema, 'conflict', 'double-booking'),
  ),
} as const
