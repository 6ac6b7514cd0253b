import { operatorIn } from '#platform/access'
import { record } from '#platform/audit'
import { secondsLater } from '#platform/clock'
import { enterTenant, type SystemTx, type TenantTx } from '#platform/db'
import { conflict, notFound } from '#platform/errors'
import { markTokensUsed } from '../auth/one-time-tokens.queries.ts'
import { issueOneTimeToken } from '../auth/one-time-tokens.service.ts'
import { endSessionsOf } from '../sessions/sessions.service.ts'
import { findUserIdByEmail, lockUser, type UserRow } from '../users/users.queries.ts'
import { inviteEnds } from '../users/users.rules.ts'
import { addUser } from '../users/users.service.ts'
import { endAllSessions, lockTenantBySlug, type TenantRow } from './tenants.queries.ts'
import { type Circumstances, workspaceUrl } from './tenants.rules.ts'

/** Works once, for whoever has it. It is shown to the operator and kept nowhere. */
export type PasswordLink = { link: string; expires_at: Date }

export async function openInvitation(
  tx: TenantTx,
  { slug }: TenantRow,
  { id: userId }: UserRow,
  { config, now }: Circumstances,
): Promise<PasswordLink> {
  const expires_at = inviteEnds(now)
  await markTokensUsed(tx, userId, ['invite'], now)
  const token = await issueOneTimeToken(tx, { kind: 'invite', userId, expiresAt: expires_at, issuedAt: now })
  return { link: workspaceUrl(config, slug, pathOf('accept-invite', token)), expires_at }
}

/** A way back in for a workspace whose admins are all gone. An invitation that was not taken up can be given out again. */
export async function inviteAdmin(
  tx: SystemTx,
  slug: string,
  { email, name }: { email: string; name?: string },
  circumstances: Circumstances,
) {
  const { tenant, inside } = await enterOpenTenant(tx, slug)
  const existing = await findByEmail(inside, email)
  if (existing && (existing.status !== 'invited' || existing.role !== 'admin'))
    throw conflict('already_exists', `Somebody in ${slug} has this e-mail address already, and is no invited admin.`)

  const admin =
    existing ??
    (await addUser(inside, {
      email,
      name: name ?? email.split('@')[0]!,
      role: 'admin',
      source: 'cli',
      status: 'invited',
    }))
  const invitation = await openInvitation(inside, tenant, admin, circumstances)
  await record(inside, 'user.invited', { id: admin.id, label: admin.name })
  return { tenant, admin, invitation }
}

const resetSeconds = 60 * 60

/** The person chooses the password with the link; until then the old one and its sessions stay as they are. */
export async function resetPassword(tx: SystemTx, slug: string, email: string, { config, now }: Circumstances) {
  const { tenant, inside } = await enterOpenTenant(tx, slug)
  const user = await getByEmail(inside, email)
  if (user.status !== 'active')
    throw conflict('conflict', `This person is ${user.status}, so there is no password to reset.`)

  const expires_at = secondsLater(now, resetSeconds)
  await markTokensUsed(inside, user.id, ['password_reset'], now)
  const issue = { kind: 'password_reset', userId: user.id, expiresAt: expires_at, issuedAt: now } as const
  const token = await issueOneTimeToken(inside, issue)
  await record(inside, 'user.password_reset_by_operator', { id: user.id, label: user.name })
  return { tenant, user, reset: { link: workspaceUrl(config, slug, pathOf('reset-password', token)), expires_at } }
}

export async function revokeSessions(tx: SystemTx, slug: string, email: string | undefined, now: Date) {
  const tenant = await lockTenantBySlug(tx, slug)
  const inside = await enterTenant(tx, operatorIn(tenant.id))
  if (email !== undefined) {
    const user = await getByEmail(inside, email)
    return { tenant, userId: user.id, sessionsEnded: await endSessionsOf(inside, user.id, 'operator') }
  }

  const sessionsEnded = await endAllSessions(inside, 'operator', now)
  await record(inside, 'tenant.signed_out', { id: tenant.id, label: slug, after: { sessions_ended: sessionsEnded } })
  return { tenant, userId: null, sessionsEnded }
}

async function enterOpenTenant(tx: SystemTx, slug: string): Promise<{ tenant: TenantRow; inside: TenantTx }> {
  const tenant = await lockTenantBySlug(tx, slug)
  if (tenant.status === 'deleting') throw conflict('conflict', `The workspace ${slug} is being deleted.`)
  return { tenant, inside: await enterTenant(tx, operatorIn(tenant.id)) }
}

async function findByEmail(tx: TenantTx, email: string): Promise<UserRow | undefined> {
  const id = await findUserIdByEmail(tx, email)
  return id === undefined ? undefined : await lockUser(tx, id)
}

async function getByEmail(tx: TenantTx, email: string): Promise<UserRow> {
  const user = await findByEmail(tx, email)
  if (!user) throw notFound('user with this e-mail address')
  return user
}

/** The token stands behind the #, where neither server nor proxy nor log gets to see it. */
const pathOf = (page: string, token: string): string => `/${page}#token=${token}`
