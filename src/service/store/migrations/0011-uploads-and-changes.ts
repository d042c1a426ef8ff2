import { recordsChanges } from './record-changes.ts'
import type { StoreMigration } from './migration.ts'

/** Audio that is sent in parts, bytes that are to go, and what changed in which order. */
export const uploadsAndChanges: StoreMigration = {
  version: 11,
  sql: (flavour) => {
    const { strict, strictWithoutRowid, text, integer, blob, isolate } = flavour
    return `
alter table uploads add column person_id ${text};
alter table uploads add column sealed_key ${blob};
alter table uploads add column sha256 ${text};
alter table uploads add column whole ${integer} not null default 1;
alter table uploads add column operation_id ${text};
alter table uploads add column expires_at ${text};
alter table uploads add column erased_at ${text};
create index uploads_by_expiry on uploads (practice_id, expires_at);
create table blobs_to_remove (
  blob_id ${text} primary key, practice_id ${text} not null references practices (id), since ${text} not null
)${strict};
${isolate('blobs_to_remove')}
create table changes (
  practice_id ${text} not null references practices (id), seq ${integer} not null, kind ${text} not null, record_id ${text} not null,
  version ${integer} not null, deleted ${integer} not null, at ${text} not null, primary key (practice_id, seq)
)${strictWithoutRowid};
${isolate('changes')}
${recordsChanges(flavour)}
`
  },
}
