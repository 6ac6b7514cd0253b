import { sql } from 'kysely'
import { systemIn } from '#platform/access'
import { type Db, inTenant } from '#platform/db'
import { type Claim, leaseSeconds } from './claim.ts'

const renewedEverySeconds = 20

/** The claims of the requests this process is serving, and the one timer that renews them. */
type Living = { claims: Set<Claim>; timer: NodeJS.Timeout; isRenewing: boolean }
const livingOf = new WeakMap<Db, Living>()

/** Keeps the claim from being taken over until the returned function is called. */
export function renewWhileAlive(db: Db, claim: Claim): () => void {
  const living = livingOf.get(db) ?? beginRenewing(db)
  living.claims.add(claim)
  return () => {
    living.claims.delete(claim)
    if (living.claims.size || livingOf.get(db) !== living) return
    clearInterval(living.timer)
    livingOf.delete(db)
  }
}

function beginRenewing(db: Db): Living {
  const timer = setInterval(() => void renewAll(db), renewedEverySeconds * 1_000).unref()
  const living = { claims: new Set<Claim>(), timer, isRenewing: false }
  livingOf.set(db, living)
  return living
}

/** What cannot be renewed now is tried again with the next tick; should it be taken over, its answer is refused. */
async function renewAll(db: Db): Promise<void> {
  const living = livingOf.get(db)
  if (!living || living.isRenewing) return
  living.isRenewing = true
  await keepAlive(db, living.claims).catch(() => {})
  living.isRenewing = false
}

/** Renews the leases of these claims, one statement per tenant. One that is lost or answered stays so. */
export async function keepAlive(db: Db, claims: Iterable<Claim>, { now }: { now?: Date } = {}): Promise<void> {
  const failures: unknown[] = []
  for (const [tenantId, ofTenant] of Map.groupBy(claims, (claim) => claim.tenantId))
    await renewInTenant(db, tenantId, ofTenant, now).catch((error) => failures.push(error))
  if (failures.length) throw new AggregateError(failures, 'Some requests could not renew their idempotency keys.')
}

/** A key that is locked is getting its answer at this moment, and needs no lease any more. */
async function renewInTenant(db: Db, tenantId: string, claims: Claim[], now: Date | undefined): Promise<void> {
  const column = (name: keyof Claim) => claims.map((claim) => claim[name])
  await inTenant(db, systemIn(tenantId), (tx) =>
    sql`
      update platform.idempotency_keys as held
      set lease_until = coalesce(${now ?? null}::timestamptz, now()) + make_interval(secs => ${leaseSeconds})
      from (
        select caller_id, route, key
        from unnest(${column('callerId')}::uuid[], ${column('route')}::text[], ${column('key')}::text[],
          ${column('id')}::uuid[]) as claim (caller_id, route, key, claim_id)
        join platform.idempotency_keys as claimed using (caller_id, route, key, claim_id)
        where claimed.status is null
        for update of claimed skip locked
      ) as living
      where (held.caller_id, held.route, held.key) = (living.caller_id, living.route, living.key)
    `.execute(tx),
  )
}
