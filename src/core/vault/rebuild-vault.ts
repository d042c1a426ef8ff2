import { type Rebuild, rebuildDatabase } from '#base/rebuild-database.ts'
import { lostRecords, wantedIndexes } from './lost-records.ts'
import { reportRecovery } from './recovery-report.ts'

/** Turns may be missing. What is on its way to the service is newer than what it holds. */
const fetchTranscriptsAgain = `
  update transcripts set service_version = null
  where not exists (select 1 from outbox where subject_id = transcripts.id or session_id = transcripts.session_id)`

/** @throws as `rebuildDatabase` */
export function rebuildVault(rebuild: Rebuild): void {
  rebuildDatabase({
    ...rebuild,
    indexes: wantedIndexes,
    onRead: (db, found, aside) => {
      // What was lost may be with the service, so it is asked for everything from the beginning.
      db.exec('delete from pull_service; delete from pull_lists;')
      if (found.incomplete.includes('segments')) db.exec(fetchTranscriptsAgain)
      const { pages, unreadable_pages } = found
      const cause = aside === null ? ({ cause: 'missing' } as const) : ({ cause: 'damaged', set_aside: [aside] } as const)
      reportRecovery(db, rebuild.clock, { file: 'vault', ...cause, pages, unreadable_pages }, lostRecords(db, found))
    },
  })
}
