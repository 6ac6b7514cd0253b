import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import { type Db, inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'

/** The right to carry out a request, until somebody takes it over. */
export type Claim = { id: string; tenantId: string; callerId: string; route: string; key: string }
export type Answer = { status: number; headers: Record<string, string>; body: string }
type Request = { route: string; key: string; requestHash: Buffer; now?: Date }

export type ClaimResult =
  | { kind: 'claimed'; claim: Claim }
  | ({ kind: 'replay' } & Answer)
  | { kind: 'other_request' }
  | { kind: 'in_flight'; retryAfterSeconds: number }

export const leaseSeconds = 60
export const keptHours = 24

/**
 * Committed before the request begins, so that a repeat of it finds the key taken. A key whose holder stopped renewing it is
 * taken over by the same request, and by any request once it is too old.
 */
export async function claim(db: Db, actor: Actor, request: Request): Promise<ClaimResult> {
  const { route, key } = request
  const wanted = { id: newId(), tenantId: actor.tenantId, callerId: callerOf(actor), route, key }
  try {
    return await inTenant(db, actor, async (tx) => {
      if (await take(tx, wanted, request)) return { kind: 'claimed', claim: wanted }
      // The conflict has locked the row: nobody changes or removes it before this has read it.
      return whyNot(await readHeld(tx, wanted, request), request)
    })
  } catch (error) {
    // Its holder is just writing the answer, and takes longer than one may wait for a lock.
    if ((error as { code?: string }).code === '55P03') return { kind: 'in_flight', retryAfterSeconds: 1 }
    throw error
  }
}

/** Keys are the caller's own. Whoever acts as somebody else repeats only what was done in that session. */
function callerOf({ type, sessionId, apiKeyId, userId }: Actor): string {
  const callerId = type === 'impersonation' ? sessionId : (apiKeyId ?? userId)
  if (!callerId) throw new Error(`An actor of type ${type} has no idempotency keys.`)
  return callerId
}

async function take(tx: TenantTx, { id, callerId, route, key }: Claim, { requestHash, now }: Request) {
  const { rows } = await sql`
    insert into platform.idempotency_keys as held
      (caller_id, route, key, claim_id, request_hash, created_at, lease_until)
    select ${callerId}, ${route}, ${key}, ${id}, ${requestHash}, at, at + make_interval(secs => ${leaseSeconds})
    from coalesce(${now ?? null}::timestamptz, now()) as at
    on conflict (tenant_id, caller_id, route, key) do update
    set claim_id = excluded.claim_id, request_hash = excluded.request_hash, created_at = excluded.created_at,
      lease_until = excluded.lease_until, status = null, headers = null, body = null
    where held.lease_until <= excluded.created_at and (
      (held.status is null and held.request_hash = excluded.request_hash)
      or held.created_at <= excluded.created_at - make_interval(hours => ${keptHours}))
    returning claim_id
  `.execute(tx)
  return rows.length === 1
}

type Held = {
  request_hash: Buffer
  status: number | null
  headers: Record<string, string>
  body: string
  running_seconds: number
  left_seconds: number
}

async function readHeld(tx: TenantTx, { callerId, route, key }: Claim, { now }: Request): Promise<Held> {
  const { rows } = await sql<Held>`
    select request_hash, status, headers, body,
      extract(epoch from at - created_at)::float8 as running_seconds,
      extract(epoch from lease_until - at)::float8 as left_seconds
    from platform.idempotency_keys, coalesce(${now ?? null}::timestamptz, now()) as at
    where caller_id = ${callerId} and route = ${route} and key = ${key}
  `.execute(tx)
  return rows[0]!
}

function whyNot(held: Held, { requestHash }: Request): ClaimResult {
  const { status, headers, body } = held
  if (!held.request_hash.equals(requestHash)) return { kind: 'other_request' }
  if (status !== null) return { kind: 'replay', status, headers, body }
  // What has been running for a while will need a while.
  const patience = Math.min(held.running_seconds, held.left_seconds)
  return { kind: 'in_flight', retryAfterSeconds: Math.max(1, Math.ceil(patience)) }
}
