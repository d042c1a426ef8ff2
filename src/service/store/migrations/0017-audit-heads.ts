import type { StoreMigration } from './migration.ts'

/**
 * Where each audit chain ends, sealed. Links carry a key from here on; chains that exist are marked (decision 23).
 * A process of an older release that still runs cannot add links without a key: the column it names is gone.
 */
export const auditHeads: StoreMigration = {
  version: 17,
  sealsAuditHeads: true,
  sql: ({ strictWithoutRowid, text, blob, isolate }) => `
create table audit_heads (practice_id ${text} primary key, sealed ${blob} not null)${strictWithoutRowid};
${isolate('audit_heads')}
alter table audit_events rename column previous_hash to previous;
`,
}
