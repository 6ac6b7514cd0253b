import type { SignedIn } from '#platform/access'
import { record, recordDenied } from '#platform/audit'
import { conflict, invalid } from '#platform/errors'
import { type Account, findAccount } from '../auth/accounts.queries.ts'
import type { AuthServices } from '../auth/auth-services.ts'
import { provePassword } from '../auth/prove-password.flow.ts'
import { revokedToken } from '../auth/tokens.ts'
import { renewAuthentication } from './own-sessions.queries.ts'

/** Proves once more who is there. It counts for this session, and for no other. */
export async function reauthenticate(services: AuthServices, actor: SignedIn, password: string) {
  const { inNameOf, clock } = services
  const account = await readAccount(services, actor)
  if (!(await provePassword(services, { actor, account, password }))) {
    await inNameOf(actor, (tx) => recordDenied(tx, 'session.reauthenticated', about(actor)))
    throw invalid('body', '/password', 'mismatch', 'This is not your password.')
  }

  const now = clock.now()
  await inNameOf(actor, async (tx) => {
    // A password that was changed meanwhile has ended this session with all others.
    if (!(await renewAuthentication(tx, actor.sessionId!, now))) throw revokedToken()
    await record(tx, 'session.reauthenticated', about(actor))
  })
  return { authenticated_at: now }
}

const about = ({ sessionId }: SignedIn) => ({ id: sessionId })

function readAccount({ inNameOf }: AuthServices, actor: SignedIn): Promise<Account> {
  return inNameOf(actor, async (tx) => {
    const account = await findAccount(tx, actor.userId)
    if (!account?.password_hash)
      throw conflict('conflict', 'You sign in without a password. Sign in again with your provider instead.')
    return account
  })
}
