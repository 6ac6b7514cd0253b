import type { TenantTx } from '#platform/db'
import type { JobContext } from '#platform/jobs'
import { MailError, renderMail } from '#platform/mail'
import type { Services } from '#platform/module'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { getTenant } from '../../workspace/tenants/tenants.queries.ts'
import { findUser } from '../../workspace/user-records/users.queries.ts'
import type { EmailText } from './email-texts.ts'

export type EmailRecipient = NonNullable<Awaited<ReturnType<typeof findEmailRecipient>>>

export async function findEmailRecipient(tx: TenantTx, userId: string) {
  const user = await findUser(tx, userId)
  if (!user || user.status === 'deactivated' || user.status === 'erased') return undefined
  return { user, tenant: await getTenant(tx), branding: await readSettings(tx, 'branding') }
}

type Delivery = { recipient: EmailRecipient; to?: string; text: EmailText; messageId: string }

/** Permanent delivery failures are logged and not retried. */
export async function deliverEmail(
  { mailer, config, usage }: Services,
  job: JobContext,
  delivery: Delivery,
): Promise<void> {
  const { user, tenant, branding } = delivery.recipient
  const workspace = { name: tenant.name, branding }
  try {
    await mailer.send({
      to: { name: toSingleLine(user.name), address: delivery.to ?? user.email },
      subject: toSingleLine(delivery.text.subject),
      ...renderMail({ workspace, ...delivery.text.content }),
      fromName: toSingleLine(branding.email_from_name ?? tenant.name),
      messageId: `<${delivery.messageId}@${config.APP_DOMAIN}>`,
    })
    usage.count(job.tenantId, 'emails_sent')
  } catch (error) {
    if (!(error instanceof MailError) || !error.isPermanent) throw error
    job.log.warn({ user_id: user.id }, 'email was rejected permanently')
  }
}

const toSingleLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
