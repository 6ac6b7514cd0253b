import type { JobContext } from '#platform/jobs'
import type { Services } from '#platform/module'
import { workspaceUrl } from '../../workspace/tenants/tenants.rules.ts'
import { deliverEmail, findEmailRecipient } from './deliver-email.jobs.ts'
import { type NoticeDetails, type SecurityNotice, securityNoticeEmail } from './email-texts.ts'

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
