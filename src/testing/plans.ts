import { after } from 'node:test'
import type pg from 'pg'
import type { Actor } from '#platform/access'
import { connect, connectSystem, disconnect, inSystem, inTenant, type SystemTx, type TenantTx } from '#platform/db'

type Given = { owner: pg.Pool; database: { name: string; appUrl: string; systemUrl: string } }

/** How PostgreSQL goes about it. From here on every statement comes with its plan, also those inside a function. */
export async function startPlans({ owner, database }: Given) {
  await owner.query(`alter database ${database.name} set session_preload_libraries = 'auto_explain'`)
  const settings = { log_min_duration: '0', log_level: 'notice', log_nested_statements: 'on' }
  for (const [name, value] of Object.entries(settings))
    await owner.query(`load 'auto_explain'; alter database ${database.name} set auto_explain.${name} = '${value}'`)
  const db = connect(database.appUrl)
  const systemDb = connectSystem(database.systemUrl)
  after(() => Promise.all([disconnect(db), disconnect(systemDb)]))

  return {
    /** The plans of what is done in a tenant, as the application role. */
    planOf: (actor: Actor, work: (tx: TenantTx) => Promise<unknown>): Promise<string> =>
      plansDuring(db.pool, () => inTenant(db, actor, work)),
    /** The same across tenants, as the system role. */
    systemPlanOf: (work: (tx: SystemTx) => Promise<unknown>): Promise<string> =>
      plansDuring(systemDb.pool, () => inSystem(systemDb, work)),
  }
}

async function plansDuring(pool: pg.Pool, work: () => Promise<unknown>): Promise<string> {
  const plans: string[] = []
  // The pool lends the connection it got back last.
  const client = await pool.connect()
  client.release()
  const listen = ({ message }: { message?: string }) => plans.push(message ?? '')
  client.on('notice', listen)
  await work()
  client.off('notice', listen)
  return plans.join('\n').replace(/^(duration|Query Text|\s+or set_config).*\n/gm, '')
}
