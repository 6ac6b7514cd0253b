import { type RawBuilder, sql } from 'kysely'
import { type SystemTx, type TenantTx, tenantOf } from '#platform/db'
import type { Reference, TableName } from './tenant-rows.rules.ts'

/** A table with rows of tenants. From some of them only retention may delete. */
export type TenantTable = { name: TableName; is_kept_as_written: boolean }

/** Taken from the catalogue, so that no table can be forgotten. Partitions are reached through their parents. */
export async function listTenantTables(tx: SystemTx): Promise<TenantTable[]> {
  const { rows } = await sql<TenantTable>`
    select n.nspname || '.' || c.relname as name, not has_table_privilege(c.oid, 'delete') as is_kept_as_written
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information_schema$|pgboss$)'
    order by 1
  `.execute(tx)
  return rows
}

export async function listReferences(tx: SystemTx): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select fn.nspname || '.' || f.relname as "from", tn.nspname || '.' || t.relname as "to",
      array_agg(a.attname::text order by a.attnum) as columns, bool_and(not a.attnotnull) as is_clearable,
      con.confdeltype in ('c', 'n') as is_released
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
 * Deletes some rows of the tenant, and tells how many. The tenant is named because some tables are open to this role across
 * tenants. A row address may occur in several partitions: then a few more rows of the same tenant go with them.
 */
export async function deleteSomeRows(tx: TenantTx, table: TableName, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where tenant_id = ${tenantOf(tx)} and ctid = ${someOf(tx, table, limit)}
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Lets go of what rows of a table refer to, and tells of how many. */
export async function clearSomeReferences(tx: TenantTx, { from, columns }: Reference, limit: number): Promise<number> {
  const cleared = sql.join(columns.map((column) => sql`${sql.ref(column)} = null`))
  const isSet = sql.join(
    columns.map((column) => sql`${sql.ref(column)} is not null`),
    sql` and `,
  )
  const { numAffectedRows } = await sql`
    update ${sql.table(from)} set ${cleared}
    where tenant_id = ${tenantOf(tx)} and ctid = ${someOf(tx, from, limit, sql` and ${isSet}`)}
  `.execute(tx)
  return Number(numAffectedRows)
}

/** The addresses of some rows: found by address again, a batch costs the same however many rows are left. */
const someOf = (tx: TenantTx, table: TableName, limit: number, further: RawBuilder<unknown> = sql``) =>
  sql`any(array(select ctid from ${sql.table(table)} where tenant_id = ${tenantOf(tx)}${further} limit ${limit}))`

export async function hasRows(tx: TenantTx, table: TableName): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from ${sql.table(table)} where tenant_id = ${tenantOf(tx)}) as found
  `.execute(tx)
  return rows[0]!.found
}

/** The orders the tenant has given, in whatever state. They are known by their group. */
export async function deleteJobs(tx: TenantTx): Promise<number> {
  const { numAffectedRows } = await sql`delete from pgboss.job where group_id = ${tenantOf(tx)}`.execute(tx)
  return Number(numAffectedRows)
}
