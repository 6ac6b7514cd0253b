import { daysLater, secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { JobContext } from '#platform/jobs'
import type { Services } from '#platform/module'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { workspaceUrl } from '../../workspace/tenants/tenants.rules.ts'
import { findUser, findUserIdByEmail, lockUser } from '../../workspace/user-records/users.queries.ts'
import { countResetRequests } from '../tokens/one-time-tokens.queries.ts'
import { createOneTimeToken } from '../tokens/one-time-tokens.service.ts'
import { deliverEmail, type EmailRecipient, findEmailRecipient } from './deliver-email.jobs.ts'
import { inviteEmail, passwordResetEmail } from './email-texts.ts'

const inviteDays = 7
const resetSeconds = 3_600
const maxResetEmailsPerHour = 3

type InviteJob = { user_id: string; request_id: string }

export async function sendInviteEmail(
  services: Services,
  job: JobContext,
  { user_id, request_id }: InviteJob,
): Promise<void> {
  const now = services.clock.now()
  const invite = await job.inTenant(async (tx) => {
    const recipient = await findEmailRecipient(tx, user_id)
    if (recipient?.user.status !== 'invited') return undefined
    const expiresAt = daysLater(now, inviteDays)
    const meta = { request: request_id }
    return { recipient, token: await createOneTimeToken(tx, { kind: 'invite', userId: user_id, expiresAt, meta }) }
  })
  if (!invite) return

  const { recipient, token } = invite
  const text = inviteEmail({
    workspace: recipient.tenant.name,
    url: accountLinkUrl(services, recipient, 'accept-invite', token),
  })
  await deliverEmail(services, job, { recipient, text, messageId: `invite-${request_id}` })
}

type PasswordResetJob = InviteJob & { requested_by: string | null }

export async function sendPasswordResetEmail(
  services: Services,
  job: JobContext,
  data: PasswordResetJob,
): Promise<void> {
  const reset = await job.inTenant(async (tx) => {
    const by = data.requested_by ? ((await findUser(tx, data.requested_by))?.name ?? null) : null
    return { link: await createResetLink(services, tx, data.user_id, data.request_id), by }
  })
  if (reset.link) await deliverReset(services, job, { ...reset.link, by: reset.by, requestId: data.request_id })
}

type ResetRequestJob = { email: string; request_id: string }

/** Runs in a job, so the response does not reveal whether the account exists, is eligible or exceeded its limit. */
export async function sendRequestedPasswordReset(
  services: Services,
  job: JobContext,
  { email, request_id }: ResetRequestJob,
) {
  const since = secondsLater(services.clock.now(), -3_600)
  const link = await job.inTenant(async (tx) => {
    const userId = await findUserIdByEmail(tx, email)
    if (!userId || !(await canReset(tx, userId))) return undefined
    if ((await countResetRequests(tx, userId, since, request_id)) >= maxResetEmailsPerHour) return undefined
    return await createResetLink(services, tx, userId, request_id)
  })
  if (link) await deliverReset(services, job, { ...link, by: null, requestId: request_id })
}

/** Locks the user to serialize requests, so that the count is exact. */
async function canReset(tx: TenantTx, userId: string): Promise<boolean> {
  const user = await lockUser(tx, userId)
  const { enforced } = await readSettings(tx, 'sso')
  return ['active', 'invited'].includes(user.status) && (!enforced || user.role === 'admin')
}

async function createResetLink({ clock }: Services, tx: TenantTx, userId: string, requestId: string) {
  const recipient = await findEmailRecipient(tx, userId)
  if (!recipient) return undefined
  const issuedAt = clock.now()
  const expiresAt = secondsLater(issuedAt, resetSeconds)
  const meta = { request: requestId }
  const token = await createOneTimeToken(tx, { kind: 'password_reset', userId, expiresAt, issuedAt, meta })
  return { recipient, token }
}

type ResetEmail = { recipient: EmailRecipient; token: string; by: string | null; requestId: string }

async function deliverReset(services: Services, job: JobContext, { recipient, token, by, requestId }: ResetEmail) {
  const url = accountLinkUrl(services, recipient, 'reset-password', token)
  const text = passwordResetEmail({ workspace: recipient.tenant.name, url, by })
  await deliverEmail(services, job, { recipient, text, messageId: `reset-${requestId}` })
}

/** The token is in the URL fragment, so that it does not appear in server or proxy logs. */
export const accountLinkUrl = ({ config }: Services, { tenant }: EmailRecipient, page: string, token: string): string =>
  workspaceUrl(config, tenant.slug, `/${page}#token=${token}`)
