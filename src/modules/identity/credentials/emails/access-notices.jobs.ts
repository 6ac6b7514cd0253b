import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { defineJob, defineJobHandler, enqueue, type JobContext, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { type EventEnvelope, type Subscription, subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { apiKeyCreated, userCreated, userReactivated, userRoleChanged } from '../../identity.events.ts'
import { workspaceUrl } from '../../workspace/tenants/tenants.rules.ts'
import { findUser, listActiveAdminIds } from '../../workspace/user-records/users.queries.ts'
import { deliverEmail, findEmailRecipient } from './deliver-email.jobs.ts'
import { type NoticeDetails, type SecurityNotice, securityNoticeEmail } from './email-texts.ts'

/** A separate job, because a worker of the previous version moves other notices to the dead-letter queue. */
const sendAccessNotice = defineJob(
  'identity.send_access_notice',
  'mail',
  strict({
    user_id: Id,
    request_id: Id,
    notice: Type.Enum(['api_key_created', 'admin_added']),
    details: Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 600 })),
  }),
)

type AccessNotice = 'api_key_created' | 'admin_added'

const sendAccessNoticeLater = (
  tx: TenantTx,
  userId: string,
  notice: AccessNotice,
  details: NoticeDetails,
): Promise<void> => enqueue(tx, sendAccessNotice, { user_id: userId, request_id: newId(), notice, details })

export const accessNoticeHandler = (services: Services): JobHandler =>
  defineJobHandler(sendAccessNotice, (job, data) => sendSecurityNoticeEmail(services, job, data))

const onApiKeyCreated = subscribe(apiKeyCreated, 'identity.notify_key_owner', async (tx, { data, origin }) => {
  if (origin !== 'sample') await sendAccessNoticeLater(tx, data.created_by, 'api_key_created', { key: data.name })
})

const onUserCreated = subscribe(userCreated, 'identity.notify_of_created_admin', async (tx, event) => {
  if (event.data.role === 'admin') await notifyAdmins(tx, event)
})

const onRoleChanged = subscribe(userRoleChanged, 'identity.notify_of_promoted_admin', async (tx, event) => {
  if (event.data.to === 'admin') await notifyAdmins(tx, event)
})

const onUserReactivated = subscribe(userReactivated, 'identity.notify_of_reactivated_admin', async (tx, event) => {
  const user = await findUser(tx, event.subject.id)
  if (user?.role === 'admin') await notifyAdmins(tx, event)
})

/** Includes the admin who made the change: the session may have been stolen. */
async function notifyAdmins(tx: TenantTx, { subject, actor, origin }: EventEnvelope): Promise<void> {
  const user = origin === 'sample' ? undefined : await findUser(tx, subject.id)
  if (!user) return
  const byId = actor.actor_user_id ?? actor.id
  const by = byId ? ((await findUser(tx, byId))?.name ?? '') : ''
  const details = { by, admin: `${user.name} (${user.email})` }
  for (const adminId of await listActiveAdminIds(tx))
    if (adminId !== user.id) await sendAccessNoticeLater(tx, adminId, 'admin_added', details)
}

export const accessNoticeSubscriptions: Subscription[] = [
  onApiKeyCreated,
  onUserCreated,
  onRoleChanged,
  onUserReactivated,
]

type SecurityNoticeJob = { user_id: string; request_id: string; notice: SecurityNotice; details: NoticeDetails }

export async function sendSecurityNoticeEmail(
  services: Services,
  job: JobContext,
  data: SecurityNoticeJob,
): Promise<void> {
  const recipient = await job.inTenant((tx) => findEmailRecipient(tx, data.user_id))
  if (!recipient) return

  const { tenant } = recipient
  const workspaceInfo = { workspace: tenant.name, signInUrl: workspaceUrl(services.config, tenant.slug, '/login') }
  const text = securityNoticeEmail(data.notice, data.details, workspaceInfo)
  const messageId = `notice-${data.request_id}`
  await deliverEmail(services, job, { recipient, text, messageId })

  // Notify the former address too: the new one may belong to an attacker.
  const { old_email: formerEmail } = data.details
  if (data.notice === 'email_changed' && formerEmail)
    await deliverEmail(services, job, { recipient, to: formerEmail, text, messageId: `${messageId}-former` })
}
