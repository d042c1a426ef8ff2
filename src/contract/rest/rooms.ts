import { availabilityDraftSchema, availabilitySchema, roomDraftSchema, roomSchema } from '../model/availability.ts'
import { byId, idSchema, pageOf, pageQuerySchema } from '../model/common.ts'
import { followingAnswerSchema, followingPatchSchema } from '../model/schedule.ts'
import { clinical, everyone, get, patch, put, reach, type Reaches } from './route.ts'

/** Clinicians plan for themselves, supervisors also for their supervisees, the owner and the front desk for everyone. */
const schedulers = reach({ owner: 'all', clinician: 'own', supervisor: 'supervised', front_desk: 'all' })

const rescheduling: Reaches = { ...clinical, front_desk: 'limited' }

export const roomRoutes = {
  listRooms: get('/rooms', 'List rooms', everyone, {
    query: pageQuerySchema,
    answers: { 200: pageOf(roomSchema) },
  }),
  getRoom: get('/rooms/{id}', 'One room', everyone, {
    params: byId('room'),
    answers: { 200: roomSchema },
    failures: ['not-found'],
  }),
  putRoom: put('/rooms/{id}', 'Store a room, new or changed', reach({ owner: 'all', front_desk: 'all' }), {
    params: byId('room'),
    body: roomDraftSchema,
    answers: { 200: roomSchema, 201: roomSchema },
    failures: ['not-found', 'stale-version', 'version-required'],
    conditional: true,
  }),
  listAvailability: get('/availability', 'List working hours, time off and closures', schedulers, {
    query: pageQuerySchema.extend({
      clinician_id: idSchema.optional().describe('Only entries of this clinician, and those that hold for everyone.'),
    }),
    answers: { 200: pageOf(availabilitySchema) },
    failures: ['not-found'],
  }),
  getAvailability: get('/availability/{id}', 'Working hours, time off or a closure', schedulers, {
    params: byId('entry'),
    answers: { 200: availabilitySchema },
    failures: ['not-found'],
  }),
  putAvailability: put('/availability/{id}', 'Store working hours, time off or a closure, new or changed', schedulers, {
    params: byId('entry'),
    body: availabilityDraftSchema,
    answers: { 200: availabilitySchema, 201: availabilitySchema },
    failures: ['not-found', 'stale-version', 'version-required'],
    conditional: true,
  }),
  updateFollowing: patch(
    '/sessions/{id}/following',
    'Change or call off this session of a series and all after it',
    rescheduling,
    {
      params: byId('session'),
      body: followingPatchSchema,
      answers: { 200: followingAnswerSchema },
      failures: ['not-found', 'conflict', 'double-booking', 'stale-version', 'version-required'],
      conditional: true,
    },
  ),
} as const
