import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { containsAnyText, type Db, inTenant, type TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import type { IdempotencyClaim, StoredResponse } from './claim.ts'

/** Stores the response in the transaction of the change; throws, and so undoes the change, if a retry has taken over the key. */
export async function storeResponse(
  tx: TenantTx,
  claim: IdempotencyClaim,
  { status, headers, body }: StoredResponse,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('platform.idempotency_keys')
    .set({ status, headers: JSON.stringify(headers), body })
    .where('caller_id', '=', claim.callerId)
    .where('route', '=', claim.route)
    .where('key', '=', claim.key)
    .where('claim_id', '=', claim.id)
    .where('status', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n)
    throw conflict(
      'idempotency_claim_lost',
      'This request took so long that a retry with the same Idempotency-Key replaced it. Send it again with the same key to get the response.',
    )
}

/** Frees the key after a failed request; does nothing if a response is stored. */
export async function releaseClaim(db: Db, claim: IdempotencyClaim): Promise<void> {
  await inTenant(db, systemActor(claim.tenantId), (tx) =>
    tx
      .deleteFrom('platform.idempotency_keys')
      .where('caller_id', '=', claim.callerId)
      .where('route', '=', claim.route)
      .where('key', '=', claim.key)
      .where('claim_id', '=', claim.id)
      .where('status', 'is', null)
      .execute(),
  )
}

/** Empties the stored responses that mention any of these ids or texts. Retries are still recognized. */
export async function redactStoredResponses(tx: TenantTx, mentions: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update platform.idempotency_keys set body = '{}' where body <> '{}' and ${containsAnyText(sql`body`, mentions)}
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Empties the responses that a user received. They contain what the user wrote, but not always the id of the user. */
export async function redactResponsesToUser(tx: TenantTx, userId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update platform.idempotency_keys set body = '{}' where body <> '{}' and caller_id = ${userId}
  `.execute(tx)
  return Number(numAffectedRows)
}
