import { type Compilable, type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely'
import { type TenantTx, tenantIdOf } from './tenant-tx.ts'

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) })

type Runner = { executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> }

/**
 * Returns a function that runs the statement, which is built once per process instead of once per call. `build` must not depend on
 * the values of its input: it gets a placeholder for each field.
 */
export function compileOnce<Tx extends Runner, Input extends object, Row>(
  build: (tx: Tx, input: Input) => Compilable<Row>,
): (tx: Tx, input: Input) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (tx, input) => {
    compiled ??= build(tx, placeholders as Input).compile()
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? input[value.name as keyof Input] : value,
    )
    return (await tx.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}

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

/** Acquires a tenant-scoped advisory lock until the transaction ends; `isShared` takes it in shared mode. */
export async function acquireAdvisoryLock(tx: TenantTx, name: string, { isShared = false } = {}): Promise<void> {
  const lock = isShared ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  await sql`select ${lock}(hashtextextended(${`${tenantIdOf(tx)}:${name}`}, 0))`.execute(tx)
}

/** Acquires several locks of one kind in ascending order of their names, in one statement. */
export async function acquireAdvisoryLocks(
  tx: TenantTx,
  names: Iterable<string>,
  { isShared = false } = {},
): Promise<void> {
  const ordered = [...new Set(names)].sort().map((name) => `${tenantIdOf(tx)}:${name}`)
  if (!ordered.length) return
  const lock = isShared ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  await sql`
    select ${lock}(hashtextextended(name, 0))
    from unnest(${ordered}::text[]) with ordinality as lock (name, position) order by position
  `.execute(tx)
}
