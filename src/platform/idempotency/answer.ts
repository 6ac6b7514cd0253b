import { sql } from 'kysely'
import { systemIn } from '#platform/access'
import { type Db, inTenant, type TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import type { Answer, Claim } from './claim.ts'

/** In the transaction of the change, which is undone when a repeat of the request has taken the key over meanwhile. */
export async function storeAnswer(tx: TenantTx, claim: Claim, { status, headers, body }: Answer): Promise<void> {
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
      'This request took so long that a repeat of it has taken over. Send it once more with the same key to get the answer.',
    )
}

/** After a request that changed nothing: the key is free for another try. An answer that was stored stays. */
export async function release(db: Db, claim: Claim): Promise<void> {
  await inTenant(db, systemIn(claim.tenantId), (tx) =>
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

/** Blanks the stored answers that mention any of these ids or addresses. A repeat is still recognised, and told no more. */
export async function blankAnswers(tx: TenantTx, mentions: string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update platform.idempotency_keys set body = '{}'
    where exists (select from unnest(${mentions}::text[]) as mention where position(lower(mention) in lower(body)) > 0)
  `.execute(tx)
  return Number(numAffectedRows)
}
