/** `rank`: lowest first, then sequence; revoking a consent goes first. `tried`: maybe sent, so nothing is merged into it. */
export const outboxTurns = `
      alter table outbox add column rank integer not null default 0;
      alter table outbox add column tried integer not null default 1;
      update outbox set rank = -1000000 where kind = 'revoke-consent';
      create index outbox_by_turn on outbox (rank, sequence);
      create index outbox_by_state on outbox (state, error);
      create table sync_state (name text primary key, value text not null) strict, without rowid;
    `
