import { AppError } from '#contract/errors.ts'
import { requireReach, rowsWithin } from '#service/access/reach.ts'
import type { HandlersOf } from '#service/access/call.ts'
import { findRaw, getCoverage, listCoverage } from '../store/coverages.ts'

export function coverageHandlers(): HandlersOf<'listCoverage' | 'getCoverage' | 'getRawCoverage'> {
  return {
    listCoverage:
      ({ practice, query, scope }) =>
      async (db) => {
        const data = await listCoverage(db, practice, query, rowsWithin('coverages', scope))
        return { status: 200, data, touched: data.data.map(({ id }) => id) }
      },
    getCoverage: (call) => async (db) => {
      const { practice, params } = call
      await requireReach(db, call, 'coverages', params.id)
      return { status: 200, data: await getCoverage(db, practice, params.id), touched: [params.id] }
    },
    getRawCoverage: (call) => async (db) => {
      const { practice, params } = call
      await requireReach(db, call, 'coverages', params.id)
      await getCoverage(db, practice, params.id)
      const raw = await findRaw(db, practice, params.id)
      if (raw === null) throw new AppError('not-found', 'The payer sent nothing that could be kept.')
      const media_type = raw.media_type === 'application/json' ? ('application/json' as const) : ('application/edi-x12' as const)
      return { status: 200, data: { eligibility_id: params.id, media_type, text: raw.text }, touched: [params.id] }
    },
  }
}
