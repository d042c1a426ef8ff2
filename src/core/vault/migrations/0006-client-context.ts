export const clientContext = `
alter table clients add column goals text not null default '[]';
alter table clients add column vocabulary text not null default '[]';
`
