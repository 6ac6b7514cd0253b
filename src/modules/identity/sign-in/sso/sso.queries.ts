import type { Insertable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { ProviderName } from '../../credentials/oidc/provider-clients.service.ts'

export async function insertFlow(tx: TenantTx, flow: Insertable<Database['identity.sso_flows']>): Promise<void> {
  await tx.insertInto('identity.sso_flows').values(flow).execute()
}

/** Only one of several concurrent callers gets the flow. */
export function consumeFlow(tx: TenantTx, id: string, provider: ProviderName, now: Date) {
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

export type SsoFlow = NonNullable<Awaited<ReturnType<typeof consumeFlow>>>

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

type ProviderIdentity = { provider: ProviderName; issuer: string; subject: string }

export function findIdentity(tx: TenantTx, { provider, issuer, subject }: ProviderIdentity) {
  return tx
    .selectFrom('identity.user_identities')
    .select(['id', 'user_id'])
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Returns false if the identity is linked to a user, or the user has another identity of this provider. */
export async function insertIdentity(tx: TenantTx, identity: ProviderIdentity & { user_id: string; email: string }) {
  const inserted = await tx
    .insertInto('identity.user_identities')
    .values({ id: newId(), ...identity })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The email address is informational; users are matched by subject. */
export async function updateIdentityRow(
  tx: TenantTx,
  identity: ProviderIdentity,
  email: string | null,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('identity.user_identities')
    .set({ last_login_at: now, ...(email && { email }) })
    .where('provider', '=', identity.provider)
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .execute()
}
