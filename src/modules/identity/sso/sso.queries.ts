import type { Insertable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { ProviderName } from './sso.schemas.ts'

export async function insertFlow(tx: TenantTx, flow: Insertable<Database['identity.sso_flows']>): Promise<void> {
  await tx.insertInto('identity.sso_flows').values(flow).execute()
}

/** One caller gets it, however many come back with the same state. */
export function useFlow(tx: TenantTx, id: string, provider: ProviderName, now: Date) {
  return tx
    .updateTable('identity.sso_flows')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('provider', '=', provider)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id', 'nonce', 'code_verifier', 'return_to', 'intent', 'expires_at'])
    .executeTakeFirst()
}

export type Flow = NonNullable<Awaited<ReturnType<typeof useFlow>>>

export function findFlow(tx: TenantTx, id: string) {
  return tx
    .selectFrom('identity.sso_flows')
    .select(['id', 'provider', 'browser_hash', 'intent', 'session_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function setFlowSession(tx: TenantTx, id: string, sessionId: string): Promise<void> {
  await tx.updateTable('identity.sso_flows').set({ session_id: sessionId }).where('id', '=', id).execute()
}

type Identity = { provider: ProviderName; issuer: string; subject: string }

export function findIdentity(tx: TenantTx, { provider, issuer, subject }: Identity) {
  return tx
    .selectFrom('identity.user_identities')
    .select(['id', 'user_id'])
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** False when the identity belongs to somebody already, or the user has another one of the same provider. */
export async function insertIdentity(tx: TenantTx, identity: Identity & { user_id: string; email: string }) {
  const inserted = await tx
    .insertInto('identity.user_identities')
    .values({ id: newId(), ...identity })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The address is what the provider calls them today; it decides nothing. */
export async function touchIdentity(tx: TenantTx, identity: Identity, email: string | null, now: Date): Promise<void> {
  await tx
    .updateTable('identity.user_identities')
    .set({ last_login_at: now, ...(email && { email }) })
    .where('provider', '=', identity.provider)
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .execute()
}
