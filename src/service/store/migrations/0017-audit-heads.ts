import type { StoreMigration } from './migration.ts'

/** Earlier spans are recorded as unkeyed. Renaming the column stops a process of an older release from adding unkeyed links. */
export const auditHeads: StoreMigration = {
  version: 17,
  sealsAuditHeads: true,
  sql: ({ strictWithoutRowid, text, blob, isolate }) => `
create table audit_heads (practice_id ${text} primary key, sealed ${blob} not null)${strictWithoutRowid};
${isolate('audit_heads')}
alter table audit_events rename column previous_hash to previous;
`,
}
