import type { StoreMigration } from './migration.ts'

export const renewingKeys: StoreMigration = {
  version: 13,
  // Older code can create keys without this column.
  minSafeVersion: 12,
  sql: ({ integer }) => `alter table api_keys add column renews_for_days ${integer};
`,
}
