import type { StoreMigration } from './migration.ts'

/**
 * Sealed heads of the audit chains. Links are keyed from here on; existing spans are recorded as unkeyed (decision 23).
 * Renaming the column keeps a process of an older release from adding unkeyed links.
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
