import { type RawBuilder, sql } from 'kysely'
import { type SystemTx, type TenantTx, tenantIdOf } from '#platform/db'
import type { ForeignKey, TableName } from './tenant-rows.rules.ts'

/** Rows of append-only tables can be deleted only by the retention role. */
export type TenantTable = { name: TableName; is_append_only: boolean }

/** Reads the catalog, so that no table is missed. Partitions are covered by their parents. */
export async function listTenantTables(tx: SystemTx): Promise<TenantTable[]> {
  const { rows } = await sql<TenantTable>`
    select n.nspname || '.' || c.relname as name, not has_table_privilege(c.oid, 'delete') as is_append_only
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information_schema$|pgboss$)'
    order by 1
  `.execute(tx)
  return rows
}

export async function listForeignKeys(tx: SystemTx | TenantTx): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select fn.nspname || '.' || f.relname as "from", tn.nspname || '.' || t.relname as "to",
      array_agg(a.attname::text order by a.attnum) as columns, bool_and(not a.attnotnull) as is_nullable,
      con.confdeltype in ('c', 'n') as has_delete_action
    from pg_constraint con
    join pg_class f on f.oid = con.conrelid join pg_namespace fn on fn.oid = f.relnamespace
    join pg_class t on t.oid = con.confrelid join pg_namespace tn on tn.oid = t.relnamespace
    join pg_attribute a on a.attrelid = f.oid and a.attnum = any(con.conkey) and a.attname <> 'tenant_id'
    where con.contype = 'f' and con.conparentid = 0 and not f.relispartition
    group by con.oid, fn.nspname, f.relname, tn.nspname, t.relname, con.confdeltype
    order by con.oid
  `.execute(tx)
  return rows
}

/**
 * Filters by tenant_id explicitly, because this role can see some tables across tenants. A ctid can occur in several partitions;
 * then a few more rows of the same tenant are deleted.
 */
export async function deleteTenantRows(tx: TenantTx, table: TableName, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where tenant_id = ${tenantIdOf(tx)} and ctid = ${ctidBatch(tx, table, limit)}
  `.execute(tx)
  return Number(numAffectedRows)
}

export async function clearForeignKey(tx: TenantTx, { from, columns }: ForeignKey, limit: number): Promise<number> {
  const cleared = sql.join(columns.map((column) => sql`${sql.ref(column)} = null`))
  const isSet = sql.join(
    columns.map((column) => sql`${sql.ref(column)} is not null`),
    sql` and `,
  )
  const { numAffectedRows } = await sql`
    update ${sql.table(from)} set ${cleared}
    where tenant_id = ${tenantIdOf(tx)} and ctid = ${ctidBatch(tx, from, limit, sql` and ${isSet}`)}
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Selecting by ctid keeps the cost of a batch independent of the number of rows left. */
const ctidBatch = (tx: TenantTx, table: TableName, limit: number, condition: RawBuilder<unknown> = sql``) =>
  sql`any(array(select ctid from ${sql.table(table)} where tenant_id = ${tenantIdOf(tx)}${condition} limit ${limit}))`

export async function hasTenantRows(tx: TenantTx, table: TableName): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from ${sql.table(table)} where tenant_id = ${tenantIdOf(tx)}) as found
  `.execute(tx)
  return rows[0]!.found
}

export async function countTenantRows(tx: TenantTx, table: TableName): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)} where tenant_id = ${tenantIdOf(tx)}
  `.execute(tx)
  return rows[0]!.count
}
