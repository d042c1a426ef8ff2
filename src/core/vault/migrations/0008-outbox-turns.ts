import type { Migration } from '#base/migrate.ts'

/**
 * Order of the outbox. `rank`: lowest first, then sequence; revoking a consent goes before everything. `tried`: the entry may
 * already have been sent, so nothing is merged into it; set for all existing entries.
 */
export const outboxTurns: Migration = {
  version: 8,
  up: (database) =>
    database.exec(`
      alter table outbox add column rank integer not null default 0;
      alter table outbox add column tried integer not null default 1;
      update outbox set rank = -1000000 where kind = 'revoke-consent';
      create index outbox_by_turn on outbox (rank, sequence);
      create index outbox_by_state on outbox (state, error);
      create table sync_state (name text primary key, value text not null) strict, without rowid;
    `),
}
