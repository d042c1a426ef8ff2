import { z } from 'zod'
import { idSchema } from '../model/common.ts'
import { method, nothing } from './method.ts'

/** All records of the sample begin like this. No other id does, because ids begin with the time they were made. */
const SAMPLE_PREFIX = '01900000-5a3e-7000-8000-'

export const isSample = (id: unknown): boolean => typeof id === 'string' && id.startsWith(SAMPLE_PREFIX)

export const sampleMethods = {
  /** Adds a fictitious client with a finished session, which is never sent. */
  'sample.add': method(nothing, z.object({ session_id: idSchema })),
  'sample.remove': method(nothing, nothing),
} as const
