const fill = (kind: string): string => `
update common_versions set record = json_set(record, '$.session_id', of.session_id) from ${kind}s as of
  where common_versions.kind = '${kind}' and of.id = common_versions.id and record is not null
    and json_extract(record, '$.session_id') is null;`

export const agreedSessions = ['transcript', 'note'].map(fill).join('\n')
