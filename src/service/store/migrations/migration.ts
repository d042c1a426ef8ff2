/** What the two databases spell differently. */
export interface Flavour {
  readonly kind: 'sqlite' | 'postgres'
  /** Ends a table: `create table x (...)${strict};` */
  readonly strict: string
  /** The same for a table that is its own primary key's index. */
  readonly strictWithoutRowid: string
  /** On PostgreSQL compared as bytes, so that ids and RFC 3339 times sort alike in both. */
  readonly text: string
  readonly integer: string
  readonly real: string
  readonly blob: string
  /**
   * Only rows of the practice that the transaction belongs to can be seen or written, whatever the query says; on
   * SQLite nothing: one file is one practice's. `named`: a row may also be read by whoever names it exactly in this
   * column (`byName`), before it is known whose it is.
   */
  isolate(table: string, named?: string): string
  /** The same for rows that belong to a row of another table, by its id. */
  isolateBy(table: string, column: string, parent: string): string
  /** Lets `acrossPractices` read the table's rows of every practice; clinical columns stay sealed all the same. */
  countable(table: string): string
  /** Rows that only ever get more. */
  onlyGrows(table: string, message: string): string
  /** For what one of the two alone knows. */
  only(kind: Flavour['kind'], sql: string): string
}

/** One step of the store, in a file of its own, never edited once released. */
export interface StoreMigration {
  /** Counts up. */
  readonly version: number
  /** The oldest schema that may still open the store after this step; this one where it is left out. */
  readonly minSafeVersion?: number
  /** In the same transaction the head of every audit chain is sealed, which takes the store's key. */
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

/** Forced: the service owns its tables, and owners are otherwise let through. */
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
