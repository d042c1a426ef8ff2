export const wrappedKeys = `
create table wrapped_keys (
  only_one integer primary key check (only_one = 1),
  envelope text not null
) strict;
`
