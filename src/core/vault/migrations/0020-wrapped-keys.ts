import type { Migration } from '#base/migrate.ts'

/** The current envelope, so that older copies in all files are detected and replaced. */
export const wrappedKeys: Migration = {
  version: 20,
  minSafeVersion: 0,
  up: (database) =>
    database.exec(`
create table wrapped_keys (
  only_one integer primary key check (only_one = 1),
  envelope text not null
) strict;
`),
}
