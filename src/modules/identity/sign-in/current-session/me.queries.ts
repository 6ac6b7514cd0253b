import { roleScopes, type UserActor } from '#platform/access'
import type { Config } from '#platform/config'
import type { TenantTx } from '#platform/db'
import type { Workspace } from '#platform/http'
import { countUnreadNotifications } from '#platform/notify'
import { mustVerifyEmail } from '../../credentials/tokens/token-response.ts'
import { getNavigationPreferences } from '../../workspace/preferences/preferences.queries.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { getUser } from '../../workspace/user-records/users.queries.ts'
import type { Me } from './auth.schemas.ts'
import type { Capability } from './capabilities.ts'

type MeContext = { config: Pick<Config, 'SMTP_URL'>; capabilities: readonly Capability[] }

export async function getMe(
  tx: TenantTx,
  actor: UserActor,
  tenant: Workspace,
  { config, capabilities }: MeContext,
): Promise<Me> {
  const user = await getUser(tx, actor, actor.userId)
  const branding = await readSettings(tx, 'branding')
  const { name: _name, ...general } = await readSettings(tx, 'general')
  const ai = await readSettings(tx, 'ai')
  const enrichment = capabilities.find(({ name }) => name === 'enrichment')
  const flags = await getUserFlags(tx, actor.userId)
  return {
    ...user,
    must_change_password: flags.must_change_password,
    email_verification_required: await mustVerifyEmail(tx, flags),
    tenant: { ...tenant, branding, general },
    scopes: [...actor.scopes].sort(),
    permissions: Object.fromEntries([...roleScopes[actor.role]].filter(([scope]) => actor.scopes.has(scope)).sort()),
    capabilities: {
      ai: ai.provider !== 'none' && ai.model !== null,
      mail: config.SMTP_URL !== undefined,
      enrichment: (await enrichment?.isAvailable(tx)) ?? false,
    },
    unread_notifications: await countUnreadNotifications(tx, actor.userId),
    preferences: actor.sessionId ? await getNavigationPreferences(tx, actor.userId) : null,
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
