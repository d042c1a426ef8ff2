/** One row by its column names. */
export type Row = Readonly<Record<string, string>>

/** Comma-separated text (RFC 4180): quoted fields may hold commas, doubled quotes and line ends. Throws in plain words. */
export function parseCsv(text: string): { readonly columns: readonly string[]; readonly rows: readonly Row[] } {
  const [head, ...records] = recordsOf(text.replace(/^\uFEFF/, ''))
  const columns = (head ?? []).map((name) => name.trim())
  const rows = records
    .filter((fields) => fields.some((field) => field !== ''))
    .map((fields) => Object.fromEntries(columns.map((column, at) => [column, fields[at] ?? ''])))
  return { columns, rows }
}

const field = /"([^"]*(?:""[^"]*)*)"([^,"\r\n]*)(,|\r\n|\n|\r|$)|([^,\r\n]*)(,|\r\n|\n|\r|$)/y

function recordsOf(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    field.lastIndex = at
    const match = field.exec(text)
    if (!match || (match[1] === undefined && match[4]?.startsWith('"')))
      throw new Error(`a quotation mark opens on line ${lineAt(text, at)} and is never closed`)
    record.push(match[1] === undefined ? (match[4] ?? '') : `${match[1].replaceAll('""', '"')}${match[2] ?? ''}`)
    const end = match[3] ?? match[5]
    at += match[0].length
    if (end !== ',') {
      records.push(record)
      record = []
    } else if (at === text.length) record.push('')
  }
  if (record.length > 0) records.push(record)
  return records
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split(/\r\n|\n|\r/).length
}
