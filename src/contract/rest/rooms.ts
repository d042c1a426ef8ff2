import { availabilityDraftSchema, availabilitySchema } from '../model/availability.ts'
import { byId, idSchema, pageOf, pageQuerySchema } from '../model/common.ts'
import { roomDraftSchema, roomSchema } from '../model/room.ts'
import { followingAnswerSchema, followingPatchSchema } from '../model/schedule.ts'
import { everyone, reach, route } from './route.ts'

/** Clinicians plan for themselves, supervisors also for their supervisees, the owner and the front desk for everyone. */
const schedulers = reach({ owner: 'all', clinician: 'own', supervisor: 'supervised', front_desk: 'all' })

export const roomRoutes = {
  listRooms: route({
    method: 'GET',
    path: '/rooms',
    summary: 'List rooms',
    published: false,
    counted: false,
    reach: everyone,
    query: pageQuerySchema,
    answers: { 200: pageOf(roomSchema) },
    failures: [],
  }),
  getRoom: route({
    method: 'GET',
    path: '/rooms/{id}',
    summary: 'One room',
    published: false,
    counted: false,
    reach: everyone,
    params: byId('room'),
    answers: { 200: roomSchema },
    failures: ['not-found'],
  }),
  putRoom: route({
    method: 'PUT',
    path: '/rooms/{id}',
    summary: 'Store a room, new or changed',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', front_desk: 'all' }),
    params: byId('room'),
    body: roomDraftSchema,
    answers: { 200: roomSchema, 201: roomSchema },
    failures: ['not-found', 'stale-version', 'version-required'],
    conditional: true,
  }),
  listAvailability: route({
    method: 'GET',
    path: '/availability',
    summary: 'List working hours, time off and closures',
    published: false,
    counted: false,
    reach: schedulers,
    query: pageQuerySchema.extend({
      clinician_id: idSchema.optional().describe('Only entries of this clinician, and those that hold for everyone.'),
    }),
    answers: { 200: pageOf(availabilitySchema) },
    failures: ['not-found'],
  }),
  getAvailability: route({
    method: 'GET',
    path: '/availability/{id}',
    summary: 'Working hours, time off or a closure',
    published: false,
    counted: false,
    reach: schedulers,
    params: byId('entry'),
    answers: { 200: availabilitySchema },
    failures: ['not-found'],
  }),
  putAvailability: route({
    method: 'PUT',
    path: '/availability/{id}',
    summary: 'Store working hours, time off or a closure, new or changed',
    published: false,
    counted: false,
    reach: schedulers,
    params: byId('entry'),
    body: availabilityDraftSchema,
    answers: { 200: availabilitySchema, 201: availabilitySchema },
    failures: ['not-found', 'stale-version', 'version-required'],
    conditional: true,
  }),
  updateFollowing: route({
    method: 'PATCH',
    path: '/sessions/{id}/following',
    summary: 'Change or call off this session of a series and all after it',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', front_desk: 'limited' }),
    params: byId('session'),
    body: followingPatchSchema,
    answers: { 200: followingAnswerSchema },
    failures: ['not-found', 'conflict', 'double-booking', 'stale-version', 'version-required'],
    conditional: true,
  }),
} as const
