import { after } from 'node:test'
import type pg from 'pg'
import type { Actor } from '#platform/access'
import { connect, connectSystem, disconnect, inSystem, inTenant, type SystemTx, type TenantTx } from '#platform/db'

type PlanTarget = { owner: pg.Pool; database: { name: string; appUrl: string; systemUrl: string } }
/** `withRows` adds the number of rows that each step returned. */
type PlanOptions = { withRows?: boolean }

/** Logs the plan of every statement of the application with auto_explain, including statements inside functions. */
export async function startQueryPlans({ owner, database }: PlanTarget, { withRows = false }: PlanOptions = {}) {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_level': 'notice',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_analyze': withRows ? 'on' : 'off',
  }
  // Not for the owner, whose connections load the rows of the next file.
  const statements = ['app', 'app_system'].flatMap((role) =>
    Object.entries(settings).map(
      ([name, value]) => `alter role ${role} in database ${database.name} set ${name} = '${value}'`,
    ),
  )
  await owner.query(["load 'auto_explain'", ...statements].join('; '))
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
