import type { StoreMigration } from './migration.ts'

export const dueOverAllPractices: StoreMigration = {
  version: 16,
  // Older code visits each practice in turn, which still works.
  minSafeVersion: 12,
  sql: ({ text, countable }) => `
${['operations', 'uploads', 'blobs_to_remove', 'changes', 'series_sessions'].map(countable).join('\n')}
create index uploads_expiring on uploads (expires_at) where sealed_key is not null;
create index uploads_erased on uploads (erased_at) where erased_at is not null;
create index changes_by_time on changes (at);
create index operations_with_kept_pieces on operations (updated_at) where status = 'failed' and payload is not null;
create index series_sessions_by_zone_rules on series_sessions (tz_version, starts_at);
alter table retention_policies add column sweep_at ${text} not null default '';
create index retention_policies_due on retention_policies (sweep_at) where transcript_days is not null;
`,
}
