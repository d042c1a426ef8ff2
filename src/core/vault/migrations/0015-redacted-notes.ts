export const redactedNotes = 'alter table notes add column redacted text;'
