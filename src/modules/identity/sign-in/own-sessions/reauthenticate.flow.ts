import type { UserActor } from '#platform/access'
import { recordAudit, recordAuditDenial } from '#platform/audit'
import { conflict, invalid } from '#platform/errors'
import { checkPassword } from '../../credentials/passwords/check-password.flow.ts'
import type { AuthServices } from '../../credentials/tokens/auth-services.ts'
import { revokedToken } from '../../credentials/tokens/tokens.ts'
import { findLoginAccount, type LoginAccount } from '../../workspace/user-records/login-accounts.queries.ts'
import { markReauthenticated } from './own-sessions.queries.ts'

export async function reauthenticate(services: AuthServices, actor: UserActor, password: string) {
  const { inTenantAs, clock } = services
  const account = await getAccountWithPassword(services, actor)
  if (!(await checkPassword(services, { actor, account, password }))) {
    await inTenantAs(actor, (tx) => recordAuditDenial(tx, 'session.reauthenticated', auditTarget(actor)))
    throw invalid('body', '/password', 'mismatch', 'The password is incorrect.')
  }

  const now = clock.now()
  await inTenantAs(actor, async (tx) => {
    // A concurrent password change revoked this session.
    if (!(await markReauthenticated(tx, actor.sessionId!, now))) throw revokedToken()
    await recordAudit(tx, 'session.reauthenticated', auditTarget(actor))
  })
  return { authenticated_at: now }
}

const auditTarget = ({ sessionId }: UserActor) => ({ id: sessionId })

function getAccountWithPassword({ inTenantAs }: AuthServices, actor: UserActor): Promise<LoginAccount> {
  return inTenantAs(actor, async (tx) => {
    const account = await findLoginAccount(tx, actor.userId)
    if (!account?.password_hash)
      throw conflict('conflict', 'Your account has no password. Sign in again with your identity provider.')
    return account
  })
}
