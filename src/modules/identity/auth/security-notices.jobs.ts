import type { JobContext } from '#platform/jobs'
import type { Services } from '#platform/module'
import { workspaceUrl } from '../tenants/tenants.rules.ts'
import { deliver, readAddressee } from './deliver-mail.jobs.ts'
import { type NoticeDetails, noticeText, type SecurityNotice } from './security-mails.ts'

type Order = { user_id: string; request_id: string; notice: SecurityNotice; details: NoticeDetails }

export async function mailNotice(services: Services, job: JobContext, order: Order): Promise<void> {
  const addressee = await job.inTenant((tx) => readAddressee(tx, order.user_id))
  if (!addressee) return

  const { tenant } = addressee
  const place = { workspace: tenant.name, signInUrl: workspaceUrl(services.config, tenant.slug, '/login') }
  const text = noticeText(order.notice, order.details, place)
  const messageId = `notice-${order.request_id}`
  await deliver(services, job, { addressee, text, messageId })

  // Whoever loses an address must hear of it there: at the new one sits perhaps the one who took it.
  const { old_email: formerAddress } = order.details
  if (order.notice === 'email_changed' && formerAddress)
    await deliver(services, job, { addressee, to: formerAddress, text, messageId: `${messageId}-former` })
}
