export interface Flavour {
  readonly kind: 'sqlite' | 'postgres'
  readonly strict: string
  readonly strictWithoutRowid: string
  /** Compared as bytes on PostgreSQL, so that ids and RFC 3339 times sort the same in both databases. */
  readonly text: string
  readonly integer: string
  readonly real: string
  readonly blob: string
  /** `named`: column by whose exact value a row can also be read (`byName`), before its practice is known. */
  isolate(table: string, named?: string): string
  isolateBy(table: string, column: string, parent: string): string
  /** Lets `acrossPractices` read this table's rows of all practices. */
  countable(table: string): string
  onlyGrows(table: string, message: string): string
  only(kind: Flavour['kind'], sql: string): string
}

/** One migration of the store. Never edit a released one. */
export interface StoreMigration {
  readonly version: number
  /** The oldest schema version whose code may still open the store after this step; defaults to `version`. */
  readonly minSafeVersion?: number
  readonly sealsAuditHeads?: true
  sql(flavour: Flavour): string
}

export const sqliteFlavour: Flavour = {
  kind: 'sqlite',
  strict: ' strict',
  strictWithoutRowid: ' strict, without rowid',
  text: 'text',
  integer: 'integer',
  real: 'real',
  blob: 'blob',
  isolate: () => '',
  isolateBy: () => '',
  countable: () => '',
  onlyGrows: (
    table,
    message,
  ) => `create trigger ${table}_never_change before update on ${table} begin select raise(abort, '${message}'); end;
create trigger ${table}_never_go before delete on ${table} begin select raise(abort, '${message}'); end;`,
  only: (kind, sql) => (kind === 'sqlite' ? sql : ''),
}

const mine = "practice_id = current_setting('afterword.practice', true)"

/** FORCE is needed because the service owns its tables, and row-level security skips owners. */
const guarded = (table: string): string => `alter table ${table} enable row level security;
alter table ${table} force row level security;`

export const postgresFlavour: Flavour = {
  kind: 'postgres',
  strict: '',
  strictWithoutRowid: '',
  text: 'text collate "C"',
  integer: 'bigint',
  real: 'double precision',
  blob: 'bytea',
  isolate: (table, named) => `${guarded(table)}
create policy ${table}_of_practice on ${table} using (${mine}) with check (${mine});
${
  named === undefined
    ? ''
    : `create policy ${table}_named on ${table} for select using (${named} = current_setting('afterword.named', true));`
}`,
  isolateBy: (table, column, parent) => `${guarded(table)}
create policy ${table}_of_practice on ${table} using (exists (select 1 from ${parent} where ${parent}.id = ${table}.${column}));`,
  countable: (table) =>
    `create policy ${table}_counted on ${table} for select using (current_setting('afterword.across', true) = 'on');`,
  onlyGrows: (table, message) => `create function ${table}_only_grows() returns trigger language plpgsql as
$$ begin raise exception '${message}'; end $$;
create trigger ${table}_never_change before update or delete on ${table} for each row execute function ${table}_only_grows();
create trigger ${table}_never_emptied before truncate on ${table} for each statement execute function ${table}_only_grows();`,
  only: (kind, sql) => (kind === 'postgres' ? sql : ''),
}
