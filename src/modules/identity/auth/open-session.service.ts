import { actorOf, type TenantTx } from '#platform/db'
import { type AuthMethod, lockPresence, markLoggedIn } from '../sessions/sessions.queries.ts'
import { startSession } from '../sessions/sessions.service.ts'
import { readSettings } from '../settings/settings.queries.ts'
import type { Account } from './accounts.queries.ts'
import { sendSecurityNoticeLater } from './auth.jobs.ts'
import type { AuthServices } from './auth-services.ts'
import { deviceOf } from './device.rules.ts'
import { isNewDevice, recordLogin } from './login-events.service.ts'
import { type Issue, issueFor } from './token-response.ts'

/**
 * Signs somebody in who has proved who they are, in a transaction of their own name: it names the session to open. Undefined
 * when the account or its password changed since it was read.
 */
export async function openSession(
  { clock, tokens }: Pick<AuthServices, 'clock' | 'tokens'>,
  tx: TenantTx,
  account: Account,
  method: AuthMethod,
): Promise<Issue | undefined> {
  const { sessionId, trace } = actorOf(tx)
  const now = clock.now()
  await lockPresence(tx, account.id)
  const started = await startSession(
    tx,
    {
      id: sessionId!,
      user: account,
      method,
      passwordChangedAt: account.password_changed_at,
      trace: trace!,
      security: await readSettings(tx, 'security'),
      signingKid: tokens.currentKid,
    },
    now,
  )
  if (!started) return undefined

  await noteLogin(tx, account, method)
  await markLoggedIn(tx, account.id, now)
  return await issueFor(tx, account, started)
}

async function noteLogin(tx: TenantTx, { id, email, notify_new_device }: Account, method: AuthMethod): Promise<void> {
  const { sessionId, trace } = actorOf(tx)
  if (notify_new_device && (await isNewDevice(tx, id)))
    await sendSecurityNoticeLater(tx, id, 'new_device', { device: deviceOf(trace!.userAgent), ip: trace!.ip })
  await recordLogin(tx, { userId: id, email, outcome: 'success', method, sessionId: sessionId! })
}
