import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import { canonicalJson } from '#platform/canonical-json'
import { type Db, inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'

export type IdempotencyClaim = { id: string; tenantId: string; callerId: string; route: string; key: string }
export type StoredResponse = { status: number; headers: Record<string, string>; body: string }
type KeyedRequest = { route: string; key: string; requestHash: Buffer; now?: Date }

export type ClaimResult =
  | { kind: 'claimed'; claim: IdempotencyClaim }
  | ({ kind: 'replay' } & StoredResponse)
  | { kind: 'other_request' }
  | { kind: 'in_flight'; retryAfterSeconds: number }

/** Longer than any request: a model has 20 seconds, a bulk update 15, a statement 5. Shorter leases would only cost work. */
const leaseSeconds = 60
export const retentionHours = 24

/** Commits the claim before the request starts. A request whose claim was taken over after its lease cannot commit (`storeResponse`). */
export async function claimIdempotencyKey(db: Db, actor: Actor, request: KeyedRequest): Promise<ClaimResult> {
  const { route, key } = request
  const claim = { id: newId(), tenantId: actor.tenantId, callerId: callerIdOf(actor), route, key }
  try {
    return await inTenant(db, actor, async (tx) => {
      if (await upsertClaim(tx, claim, request)) return { kind: 'claimed', claim }
      // The conflict has locked the row, so it cannot change before this read.
      return toConflictResult(await readExistingKey(tx, claim, request), request)
    })
  } catch (error) {
    // Lock timeout: the claim holder is storing its response.
    if ((error as { code?: string }).code === '55P03') return { kind: 'in_flight', retryAfterSeconds: 1 }
    throw error
  }
}

/** Keys belong to the user or API key; while impersonating, to the session. */
function callerIdOf({ type, sessionId, apiKeyId, userId }: Actor): string {
  const callerId = type === 'impersonation' ? sessionId : (apiKeyId ?? userId)
  if (!callerId) throw new Error(`Actors of type ${type} cannot use idempotency keys.`)
  return callerId
}

async function upsertClaim(
  tx: TenantTx,
  { id, callerId, route, key }: IdempotencyClaim,
  { requestHash, now }: KeyedRequest,
) {
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
      or held.created_at <= excluded.created_at - make_interval(hours => ${retentionHours}))
    returning claim_id
  `.execute(tx)
  return rows.length === 1
}

type ExistingKey = {
  request_hash: Buffer
  status: number | null
  headers: Record<string, string>
  body: string
  left_seconds: number
}

async function readExistingKey(
  tx: TenantTx,
  { callerId, route, key }: IdempotencyClaim,
  { now }: KeyedRequest,
): Promise<ExistingKey> {
  const { rows } = await sql<ExistingKey>`
    select request_hash, status, headers, body,
      extract(epoch from lease_until - at)::float8 as left_seconds
    from platform.idempotency_keys, coalesce(${now ?? null}::timestamptz, now()) as at
    where caller_id = ${callerId} and route = ${route} and key = ${key}
  `.execute(tx)
  return rows[0]!
}

function toConflictResult(existing: ExistingKey, { requestHash }: KeyedRequest): ClaimResult {
  const { status, headers, body } = existing
  if (!existing.request_hash.equals(requestHash)) return { kind: 'other_request' }
  if (status !== null) return { kind: 'replay', status, headers, body }
  return { kind: 'in_flight', retryAfterSeconds: Math.max(1, Math.ceil(existing.left_seconds)) }
}

export const hashRequest = ({ path, query, body }: { path: unknown; query: unknown; body: unknown }): Buffer =>
  createHash('sha256')
    .update(canonicalJson([path, query, body]))
    .digest()
