import type { Migration } from '#base/migrate.ts'

/**
 * Whose turn it is, in what order, and what may still be changed before it is sent.
 *
 * `rank`: lowest first, before the sequence; a consent that is revoked goes before all. `tried`: its outcome may be
 * unknown, so nothing is merged into it; what waited before there was such a mark may have been sent.
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
