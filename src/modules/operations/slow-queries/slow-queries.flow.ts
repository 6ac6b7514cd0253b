import type { RequestTransaction } from '#platform/http'
import type { SlowQueriesQuery, Statement } from './slow-queries.schemas.ts'
import { findStatementStatsSchema, findStatsReset, listStatements } from './statement-stats.queries.ts'

type StatementStats = { available: boolean; reason: string | null; since: Date | null; statements: Statement[] }

const unavailable = (reason: string): StatementStats => ({ available: false, reason, since: null, statements: [] })

/** Reads the statistics in a transaction of their own, because reading them fails if the server does not load the extension. */
export async function readStatementStats(
  inTenant: RequestTransaction,
  query: SlowQueriesQuery,
): Promise<StatementStats> {
  const schema = await inTenant(findStatementStatsSchema)
  if (schema === undefined) return unavailable('The extension pg_stat_statements is not installed in the database.')
  try {
    return await inTenant(async (tx) => {
      const [since, statements] = await Promise.all([findStatsReset(tx, schema), listStatements(tx, schema, query)])
      return { available: true, reason: null, since, statements }
    })
  } catch (error) {
    const reasons: Record<string, string> = {
      '55000': 'The server does not load pg_stat_statements. Add it to shared_preload_libraries.',
      '42501': 'The role app may not read pg_stat_statements. Grant it execute on the functions of the extension.',
    }
    const reason = reasons[(error as { code?: string }).code ?? '']
    if (!reason) throw error
    return unavailable(reason)
  }
}
