import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { SlowQueriesQuery, Statement } from './slow-queries.schemas.ts'

const maxTextLength = 4_000

/** Returns the schema of the extension, which the owner of the database chooses. */
export async function findStatementStatsSchema(tx: TenantTx): Promise<string | undefined> {
  const { rows } = await sql<{ schema: string }>`
    select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pg_stat_statements'
  `.execute(tx)
  return rows[0]?.schema
}

const orders = { total: sql`total_exec_time`, mean: sql`mean_exec_time`, calls: sql`calls` }

/**
 * Lists the statements of the application role in this database. PostgreSQL replaces the constants in their texts, but not
 * in utility statements, which are left out.
 */
export async function listStatements(tx: TenantTx, schema: string, { sort, limit }: SlowQueriesQuery) {
  const { rows } = await sql<Statement>`
    select queryid::text as query_id, left(query, ${maxTextLength}::integer) as query, calls,
      round(total_exec_time::numeric, 3)::float8 as total_ms, round(mean_exec_time::numeric, 3)::float8 as mean_ms,
      round(max_exec_time::numeric, 3)::float8 as max_ms, rows,
      round(shared_blks_hit / nullif(shared_blks_hit + shared_blks_read, 0)::numeric, 4)::float8 as cache_hit_rate,
      coalesce(round((total_exec_time / nullif(sum(total_exec_time) over (), 0))::numeric, 4), 0)::float8 as share_rate
    from ${sql.table(`${schema}.pg_stat_statements`)}
    where dbid = (select oid from pg_database where datname = current_database())
      and userid = (select oid from pg_roles where rolname = current_user)
      and query ~* '^[[:space:]]*(select|insert|update|delete|with)[[:space:]]'
    order by ${orders[sort]} desc, queryid limit ${limit}
  `.execute(tx)
  return rows
}

export async function findStatsReset(tx: TenantTx, schema: string): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select stats_reset as since from ${sql.table(`${schema}.pg_stat_statements_info`)}
  `.execute(tx)
  return rows[0]?.since ?? null
}
