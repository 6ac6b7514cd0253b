import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { type Db, inTenant } from '#platform/db'
import { type IdempotencyClaim, leaseSeconds } from './claim.ts'

const renewalIntervalSeconds = 20

type LeaseRenewal = { claims: Set<IdempotencyClaim>; timer: NodeJS.Timeout; isRenewing: boolean }
const renewalByDb = new WeakMap<Db, LeaseRenewal>()

export function startLeaseRenewal(db: Db, claim: IdempotencyClaim): () => void {
  const renewal = renewalByDb.get(db) ?? startTimer(db)
  renewal.claims.add(claim)
  return () => {
    renewal.claims.delete(claim)
    if (renewal.claims.size || renewalByDb.get(db) !== renewal) return
    clearInterval(renewal.timer)
    renewalByDb.delete(db)
  }
}

function startTimer(db: Db): LeaseRenewal {
  const timer = setInterval(() => void renewAll(db), renewalIntervalSeconds * 1_000).unref()
  const renewal = { claims: new Set<IdempotencyClaim>(), timer, isRenewing: false }
  renewalByDb.set(db, renewal)
  return renewal
}

/** Ignores errors: the next tick retries, and a claim that is taken over cannot store its response. */
async function renewAll(db: Db): Promise<void> {
  const renewal = renewalByDb.get(db)
  if (!renewal || renewal.isRenewing) return
  renewal.isRenewing = true
  await renewLeases(db, renewal.claims).catch(() => {})
  renewal.isRenewing = false
}

export async function renewLeases(
  db: Db,
  claims: Iterable<IdempotencyClaim>,
  { now }: { now?: Date } = {},
): Promise<void> {
  const failures: unknown[] = []
  for (const [tenantId, tenantClaims] of Map.groupBy(claims, (claim) => claim.tenantId))
    await renewInTenant(db, tenantId, tenantClaims, now).catch((error) => failures.push(error))
  if (failures.length) throw new AggregateError(failures, 'Renewing idempotency leases failed.')
}

/** Skips locked keys: their response is being stored, so they need no lease. */
async function renewInTenant(
  db: Db,
  tenantId: string,
  claims: IdempotencyClaim[],
  now: Date | undefined,
): Promise<void> {
  const column = (name: keyof IdempotencyClaim) => claims.map((claim) => claim[name])
  await inTenant(db, systemActor(tenantId), (tx) =>
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
