import { meSchema } from '../model/me.ts'
import { everyone, route } from './route.ts'

/** What a caller needs to know of itself before it begins. */
export const meRoutes = {
  whoAmI: route({
    method: 'GET',
    path: '/me',
    summary: 'Who calls: person, roles, practice, plan, and until when the key is good',
    published: false,
    counted: false,
    reach: everyone,
    answers: { 200: meSchema },
    failures: [],
  }),
} as const
