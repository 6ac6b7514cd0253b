import { sql, type Transaction } from 'kysely'
import type { Actor } from '#platform/access'
import type { Db, SystemDb } from './connect.ts'
import { intoNoTenant, intoTenant } from './control.ts'
import type { DB as Database } from './database.ts'
import { type Session, transact } from './transaction.ts'

type Statements = Pick<
  Transaction<Database>,
  'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'with' | 'fn' | 'getExecutor' | 'executeQuery'
>
const tenant = Symbol('tenant')
const system = Symbol('system')
const outside = Symbol('outside')
const commitHooks = Symbol('commitHooks')

type Hooked = Statements & { readonly [commitHooks]: (() => void)[] }

/** A transaction in which PostgreSQL shows and accepts the rows of one tenant only. */
export type TenantTx = Hooked & { readonly [tenant]: Actor }

/** A transaction across tenants: it sees the tables opened to the system role. No query of a module takes it for a TenantTx. */
export type SystemTx = Hooked & { readonly [system]: true }

/** A transaction of the application role in no tenant: it sees only what belongs to none, as at sign-in. */
export type OutsideTx = Hooked & { readonly [outside]: true }

/** Everything in `work` happens in the tenant of the actor, in the actor's name, or not at all. */
export function inTenant<T>({ pool }: Db, actor: Actor, work: (tx: TenantTx) => Promise<T>): Promise<T> {
  return transact(pool, intoTenant(actor.tenantId), (session) => work(branded(session, { [tenant]: actor })))
}

export function inSystem<T>({ pool }: SystemDb, work: (tx: SystemTx) => Promise<T>): Promise<T> {
  return transact(pool, intoNoTenant, (session) => work(branded(session, { [system]: true as const })))
}

export function outsideTenant<T>({ pool }: Db, work: (tx: OutsideTx) => Promise<T>): Promise<T> {
  return transact(pool, intoNoTenant, (session) => work(branded(session, { [outside]: true as const })))
}

/** The same transaction from now on bound to one tenant. There is no way back and no way on to another one. */
export async function enterTenant(tx: SystemTx | OutsideTx, actor: Actor): Promise<TenantTx> {
  if (tenant in tx) throw new Error('This transaction has entered a tenant already.')
  await sql`select set_config('app.tenant_id', ${actor.tenantId}, true)`.execute(tx)
  return Object.assign(tx, { [tenant]: actor })
}

/** In whose name a transaction runs. */
export const actorOf = (tx: TenantTx): Actor => tx[tenant]

export const tenantOf = (tx: TenantTx): string => tx[tenant].tenantId

/** Runs once the transaction has committed, and never if it does not. It must not fail and nobody waits for it. */
export function afterCommit(tx: TenantTx | SystemTx | OutsideTx, act: () => void): void {
  tx[commitHooks].push(act)
}

const branded = <B extends object>({ tx, afterCommit }: Session, brand: B) =>
  Object.assign(tx, brand, { [commitHooks]: afterCommit })
