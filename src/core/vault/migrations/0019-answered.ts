const table = `
create table answered (
  kind text not null,
  id text not null,
  version integer not null,
  primary key (kind, id)
) strict, without rowid;
`

const ofTables = [
  ['client', 'clients'],
  ['session', 'sessions'],
  ['consent', 'consents'],
  ['transcript', 'transcripts'],
  ['note', 'notes'],
] as const

/** A practice service has its own backups. */
const isEmbedded = `exists (select 1 from pull_service where address = 'http://embedded.invalid/v1')`

const triggers = (kind: string, name: string): string => `
create trigger ${name}_answered after update of service_version on ${name}
  when new.service_version is not null and new.service_version is not old.service_version and ${isEmbedded}
begin
  insert or replace into answered (kind, id, version) values ('${kind}', new.id, new.service_version);
end;
create trigger ${name}_answered_new after insert on ${name} when new.service_version is not null and ${isEmbedded}
begin
  insert or replace into answered (kind, id, version) values ('${kind}', new.id, new.service_version);
end;`

export const answered = table + ofTables.map(([kind, name]) => triggers(kind, name)).join('\n')
