import { after } from 'node:test'
import type pg from 'pg'
import type { Actor } from '#platform/access'
import { connect, connectSystem, disconnect, inSystem, inTenant, type SystemTx, type TenantTx } from '#platform/db'

type PlanTarget = { owner: pg.Pool; database: { name: string; appUrl: string; systemUrl: string } }

/** Logs the plan of every statement with auto_explain, including statements inside functions. */
export async function startQueryPlans({ owner, database }: PlanTarget) {
  await owner.query(`alter database ${database.name} set session_preload_libraries = 'auto_explain'`)
  const settings = { log_min_duration: '0', log_level: 'notice', log_nested_statements: 'on' }
  for (const [name, value] of Object.entries(settings))
    await owner.query(`load 'auto_explain'; alter database ${database.name} set auto_explain.${name} = '${value}'`)
  const db = connect(database.appUrl)
  const systemDb = connectSystem(database.systemUrl)
  after(() => Promise.all([disconnect(db), disconnect(systemDb)]))

  return {
    /** Runs `work` as the application role and returns the plans. */
    planOf: (actor: Actor, work: (tx: TenantTx) => Promise<unknown>): Promise<string> =>
      collectPlans(db.pool, () => inTenant(db, actor, work)),
    /** Runs `work` as the system role and returns the plans. */
    systemPlanOf: (work: (tx: SystemTx) => Promise<unknown>): Promise<string> =>
      collectPlans(systemDb.pool, () => inSystem(systemDb, work)),
  }
}

/** The part of a plan that reads the tenant for a policy. */
const tenantSubquery = /^\s*InitPlan \d+ \(returns \$\d+\)\n\s*-> {2}Result {2}\(cost.*\n/gm

async function collectPlans(pool: pg.Pool, work: () => Promise<unknown>): Promise<string> {
  const plans: string[] = []
  // The pool reuses the connection released last.
  const client = await pool.connect()
  client.release()
  const listen = ({ message }: { message?: string }) => plans.push(message ?? '')
  client.on('notice', listen)
  await work()
  client.off('notice', listen)
  return plans
    .join('\n')
    .replace(/^(duration|Query Text|\s+or set_config).*\n/gm, '')
    .replace(tenantSubquery, '')
}
