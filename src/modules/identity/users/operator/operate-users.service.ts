import { operatorActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { secondsLater } from '#platform/clock'
import { enterTenant, type SystemTx, type TenantTx } from '#platform/db'
import { conflict, notFound } from '#platform/errors'
import { markOneTimeTokensUsed } from '../../credentials/tokens/one-time-tokens.queries.ts'
import { createOneTimeToken } from '../../credentials/tokens/one-time-tokens.service.ts'
import { revokeSessionsOfUser } from '../../workspace/sessions/sessions.service.ts'
import { lockTenantBySlug, revokeAllSessions, type TenantRow } from '../../workspace/tenants/tenants.queries.ts'
import { type OperatorContext, workspaceUrl } from '../../workspace/tenants/tenants.rules.ts'
import { findUserIdByEmail, lockUser, type UserRow } from '../../workspace/user-records/users.queries.ts'
import { inviteExpiresAt } from '../../workspace/user-records/users.rules.ts'
import { createUserRecord } from '../users/create-user-row.service.ts'

export type PasswordLink = { link: string; expires_at: Date }

export async function createInvitationLink(
  tx: TenantTx,
  { slug }: TenantRow,
  { id: userId }: UserRow,
  { config, now }: OperatorContext,
): Promise<PasswordLink> {
  const expires_at = inviteExpiresAt(now)
  await markOneTimeTokensUsed(tx, userId, ['invite'], now)
  const token = await createOneTimeToken(tx, { kind: 'invite', userId, expiresAt: expires_at, issuedAt: now })
  return { link: workspaceUrl(config, slug, tokenPath('accept-invite', token)), expires_at }
}

/** Restores access to a workspace without admins. An invited admin gets a new link. */
export async function inviteAdmin(
  tx: SystemTx,
  slug: string,
  { email, name }: { email: string; name?: string },
  context: OperatorContext,
) {
  const { tenant, tenantTx } = await enterTenantUnlessDeleting(tx, slug)
  const existing = await findAndLockUserByEmail(tenantTx, email)
  if (existing && (existing.status !== 'invited' || existing.role !== 'admin'))
    throw conflict('already_exists', `A user in ${slug} who is not an invited admin already has this email address.`)

  const admin =
    existing ??
    (await createUserRecord(tenantTx, {
      email,
      name: name ?? email.split('@')[0]!,
      role: 'admin',
      source: 'cli',
      status: 'invited',
    }))
  const invitation = await createInvitationLink(tenantTx, tenant, admin, context)
  await recordAudit(tenantTx, 'user.invited', { id: admin.id, label: admin.name })
  return { tenant, admin, invitation }
}

const resetLinkTtlSeconds = 60 * 60

/** The current password and sessions stay valid until the user sets a new password with the link. */
export async function createPasswordResetLink(
  tx: SystemTx,
  slug: string,
  email: string,
  { config, now }: OperatorContext,
) {
  const { tenant, tenantTx } = await enterTenantUnlessDeleting(tx, slug)
  const user = await getAndLockUserByEmail(tenantTx, email)
  if (user.status !== 'active')
    throw conflict('conflict', `The password of a user with the status ${user.status} cannot be reset.`)

  const expires_at = secondsLater(now, resetLinkTtlSeconds)
  await markOneTimeTokensUsed(tenantTx, user.id, ['password_reset'], now)
  const tokenOptions = { kind: 'password_reset', userId: user.id, expiresAt: expires_at, issuedAt: now } as const
  const token = await createOneTimeToken(tenantTx, tokenOptions)
  await recordAudit(tenantTx, 'user.password_reset_by_operator', { id: user.id, label: user.name })
  return { tenant, user, reset: { link: workspaceUrl(config, slug, tokenPath('reset-password', token)), expires_at } }
}

export async function revokeSessionsAsOperator(tx: SystemTx, slug: string, email: string | undefined, now: Date) {
  const tenant = await lockTenantBySlug(tx, slug)
  const tenantTx = await enterTenant(tx, operatorActor(tenant.id))
  if (email !== undefined) {
    const user = await getAndLockUserByEmail(tenantTx, email)
    return { tenant, userId: user.id, sessionsEnded: await revokeSessionsOfUser(tenantTx, user.id, 'operator') }
  }

  const sessionsEnded = await revokeAllSessions(tenantTx, 'operator', now)
  await recordAudit(tenantTx, 'tenant.signed_out', {
    id: tenant.id,
    label: slug,
    after: { sessions_ended: sessionsEnded },
  })
  return { tenant, userId: null, sessionsEnded }
}

async function enterTenantUnlessDeleting(
  tx: SystemTx,
  slug: string,
): Promise<{ tenant: TenantRow; tenantTx: TenantTx }> {
  const tenant = await lockTenantBySlug(tx, slug)
  if (tenant.status === 'deleting') throw conflict('conflict', `The workspace ${slug} is being deleted.`)
  return { tenant, tenantTx: await enterTenant(tx, operatorActor(tenant.id)) }
}

async function findAndLockUserByEmail(tx: TenantTx, email: string): Promise<UserRow | undefined> {
  const id = await findUserIdByEmail(tx, email)
  return id === undefined ? undefined : await lockUser(tx, id)
}

async function getAndLockUserByEmail(tx: TenantTx, email: string): Promise<UserRow> {
  const user = await findAndLockUserByEmail(tx, email)
  if (!user) throw notFound('user with this email address')
  return user
}

/** The URL fragment is not sent to servers, so the token does not appear in logs. */
const tokenPath = (page: string, token: string): string => `/${page}#token=${token}`
