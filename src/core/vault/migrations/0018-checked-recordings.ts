export const checkedRecordings = `
      alter table recordings add column unreadable text;
      alter table recordings add column checked_at text;
      alter table recordings add column dismissed_ms integer not null default 0;`
