import type { StoreMigration } from './migration.ts'

/** Keys that each rotation makes good for some days more. */
export const renewingKeys: StoreMigration = {
  version: 13,
  // Code from before makes keys without it.
  minSafeVersion: 12,
  sql: ({ integer }) => `alter table api_keys add column renews_for_days ${integer};
`,
}
