import { type RawBuilder, sql } from 'kysely'

const columnTypes = {
  bigint: sql`bigint`,
  boolean: sql`boolean`,
  date: sql`date`,
  integer: sql`integer`,
  jsonb: sql`jsonb`,
  numeric: sql`numeric`,
  text: sql`text`,
  'text[]': sql`text[]`,
  timestamptz: sql`timestamptz`,
  uuid: sql`uuid`,
}

type Column<Row> = keyof Row & string

/** Selects the rows from one JSON parameter, so that the text of an INSERT does not depend on their number. */
export function selectRows<Row extends object>(
  rows: readonly Row[],
  types: Readonly<Record<Column<Row>, keyof typeof columnTypes>>,
): { columns: Column<Row>[]; rows: RawBuilder<Row> } {
  const columns = Object.keys(types) as Column<Row>[]
  const definitions = columns.map((column) => sql`${sql.ref(column)} ${columnTypes[types[column]]}`)
  return {
    columns,
    rows: sql<Row>`select ${sql.join(columns.map((column) => sql.ref(column)))}
      from json_to_recordset(${JSON.stringify(rows)}::json) as inserted (${sql.join(definitions)})`,
  }
}
