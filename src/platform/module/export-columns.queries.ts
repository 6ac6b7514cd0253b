import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { TableRules, Tables } from './tables.ts'

const redactedIn = ({ export: rule }: TableRules): readonly string[] => (typeof rule === 'object' ? rule.redact : [])

/**
 * Returns the columns of every exported table, without redacted ones. Read from the catalogue, so that a new column is not
 * missed; generated columns are left out, because an import cannot write them.
 */
export async function listExportColumns(tx: TenantTx, tables: Tables): Promise<Map<string, string[]>> {
  const exported = Object.entries(tables).filter(([, rules]) => rules.export !== 'skip')
  const columnsOf = await listWritableColumns(tx, exported)
  return new Map(
    exported.map(([table, rules]) => {
      const redacted = redactedIn(rules)
      return [table, columnsOf.get(table)!.filter((column) => !redacted.includes(column))]
    }),
  )
}

/** Returns the columns that are exported encrypted, of the tables that have some. */
export function listSealedColumns(tables: Tables): Map<string, string[]> {
  const sealed = Object.entries(tables).filter(([, { export: rule }]) => sealedIn(rule).length > 0)
  return new Map(sealed.map(([table, { export: rule }]) => [table, sealedIn(rule)]))
}

const sealedIn = (rule: TableRules['export']): string[] => (typeof rule === 'object' ? (rule.seal ?? []) : [])

async function listWritableColumns(
  tx: TenantTx,
  tables: readonly (readonly [string, TableRules])[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select n.nspname || '.' || c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
    from unnest(${tables.map(([table]) => table)}::text[]) as requested (name)
    join pg_class c on c.oid = to_regclass(requested.name)
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1
  `.execute(tx)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}
