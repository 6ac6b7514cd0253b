import { daysLater, secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { JobContext } from '#platform/jobs'
import type { Services } from '#platform/module'
import { readSettings } from '../settings/settings.queries.ts'
import { workspaceUrl } from '../tenants/tenants.rules.ts'
import { findUser, findUserIdByEmail, lockUser } from '../users/users.queries.ts'
import { type Addressee, deliver, readAddressee } from './deliver-mail.jobs.ts'
import { countResetRequests } from './one-time-tokens.queries.ts'
import { issueOneTimeToken } from './one-time-tokens.service.ts'
import { inviteText, resetText } from './security-mails.ts'

const inviteDays = 7
const resetSeconds = 3_600
const maxResetMailsPerHour = 3

type Order = { user_id: string; request_id: string }

export async function mailInvite(services: Services, job: JobContext, { user_id, request_id }: Order): Promise<void> {
  const now = services.clock.now()
  const invited = await job.inTenant(async (tx) => {
    const addressee = await readAddressee(tx, user_id)
    if (addressee?.user.status !== 'invited') return undefined
    const expiresAt = daysLater(now, inviteDays)
    const meta = { request: request_id }
    return { addressee, token: await issueOneTimeToken(tx, { kind: 'invite', userId: user_id, expiresAt, meta }) }
  })
  if (!invited) return

  const { addressee, token } = invited
  const text = inviteText({
    workspace: addressee.tenant.name,
    url: linkOf(services, addressee, 'accept-invite', token),
  })
  await deliver(services, job, { addressee, text, messageId: `invite-${request_id}` })
}

type ResetOrder = Order & { requested_by: string | null }

export async function mailReset(services: Services, job: JobContext, order: ResetOrder): Promise<void> {
  const reset = await job.inTenant(async (tx) => {
    const by = order.requested_by ? ((await findUser(tx, order.requested_by))?.name ?? null) : null
    return { link: await issueReset(services, tx, order.user_id, order.request_id), by }
  })
  if (reset.link) await deliverReset(services, job, { ...reset.link, by: reset.by, requestId: order.request_id })
}

type Forgotten = { email: string; request_id: string }

/** Nobody outside can tell whether there is such an account, whether it may have a link, or had too many. */
export async function answerForgotten(services: Services, job: JobContext, { email, request_id }: Forgotten) {
  const since = secondsLater(services.clock.now(), -3_600)
  const link = await job.inTenant(async (tx) => {
    const userId = await findUserIdByEmail(tx, email)
    if (!userId || !(await mayReset(tx, userId))) return undefined
    if ((await countResetRequests(tx, userId, since, request_id)) >= maxResetMailsPerHour) return undefined
    return await issueReset(services, tx, userId, request_id)
  })
  if (link) await deliverReset(services, job, { ...link, by: null, requestId: request_id })
}

/** The lock makes requests for the same person follow one another, so that their number is certain. */
async function mayReset(tx: TenantTx, userId: string): Promise<boolean> {
  const user = await lockUser(tx, userId)
  const { enforced } = await readSettings(tx, 'sso')
  return ['active', 'invited'].includes(user.status) && (!enforced || user.role === 'admin')
}

async function issueReset({ clock }: Services, tx: TenantTx, userId: string, requestId: string) {
  const addressee = await readAddressee(tx, userId)
  if (!addressee) return undefined
  const issuedAt = clock.now()
  const expiresAt = secondsLater(issuedAt, resetSeconds)
  const meta = { request: requestId }
  const token = await issueOneTimeToken(tx, { kind: 'password_reset', userId, expiresAt, issuedAt, meta })
  return { addressee, token }
}

type ResetMail = { addressee: Addressee; token: string; by: string | null; requestId: string }

async function deliverReset(services: Services, job: JobContext, { addressee, token, by, requestId }: ResetMail) {
  const url = linkOf(services, addressee, 'reset-password', token)
  const text = resetText({ workspace: addressee.tenant.name, url, by })
  await deliver(services, job, { addressee, text, messageId: `reset-${requestId}` })
}

/** The token stands behind the #, where neither server nor proxy nor log gets to see it. */
export const linkOf = ({ config }: Services, { tenant }: Addressee, page: string, token: string): string =>
  workspaceUrl(config, tenant.slug, `/${page}#token=${token}`)
