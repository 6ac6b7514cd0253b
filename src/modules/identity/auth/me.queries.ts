import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { Workspace } from '#platform/http'
import { readSettings } from '../settings/settings.queries.ts'
import { mustVerifyEmail } from '../tokens/token-response.ts'
import { getUser } from '../user-records/users.queries.ts'
import type { Me } from './auth.schemas.ts'

export async function getMe(tx: TenantTx, actor: UserActor, tenant: Workspace): Promise<Me> {
  const user = await getUser(tx, actor, actor.userId)
  const branding = await readSettings(tx, 'branding')
  const flags = await getUserFlags(tx, actor.userId)
  return {
    ...user,
    must_change_password: flags.must_change_password,
    email_verification_required: await mustVerifyEmail(tx, flags),
    tenant: { ...tenant, branding },
    scopes: [...actor.scopes].sort(),
    session: actor.sessionId ? await getOwnSession(tx, actor.sessionId) : null,
    api_key: actor.apiKeyId ? await getOwnKey(tx, actor.apiKeyId) : null,
    impersonation: actor.type === 'impersonation' ? await getImpersonation(tx, actor.sessionId!) : null,
  }
}

const getUserFlags = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('identity.users')
    .select(['must_change_password', 'source', 'email_verified_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const getOwnSession = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('identity.sessions')
    .select(['id', 'auth_method', 'authenticated_at', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const getOwnKey = (tx: TenantTx, id: string) =>
  tx.selectFrom('identity.api_keys').select(['id', 'name', 'preset']).where('id', '=', id).executeTakeFirstOrThrow()

async function getImpersonation(tx: TenantTx, sessionId: string): Promise<Me['impersonation']> {
  const { reason, expires_at, ...actor } = await tx
    .selectFrom('identity.sessions as session')
    .innerJoin('identity.users as admin', 'admin.id', 'session.actor_user_id')
    .select(['session.reason', 'session.expires_at', 'admin.id', 'admin.name', 'admin.email'])
    .where('session.id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return { actor, reason, expires_at }
}
