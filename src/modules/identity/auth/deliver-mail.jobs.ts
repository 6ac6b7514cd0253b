import type { TenantTx } from '#platform/db'
import type { JobContext } from '#platform/jobs'
import { type MailContent, MailRefused, renderMail } from '#platform/mail'
import type { Services } from '#platform/module'
import { readSettings } from '../settings/settings.queries.ts'
import { getTenant } from '../tenants/tenants.queries.ts'
import { findUser } from '../users/users.queries.ts'

export type MailText = { subject: string; content: Omit<MailContent, 'workspace'> }
export type Addressee = NonNullable<Awaited<ReturnType<typeof readAddressee>>>

/** Who gets a mail, and from which workspace. Nobody who was shut out gets any. */
export async function readAddressee(tx: TenantTx, userId: string) {
  const user = await findUser(tx, userId)
  if (!user || user.status === 'deactivated' || user.status === 'erased') return undefined
  return { user, tenant: await getTenant(tx), branding: await readSettings(tx, 'branding') }
}

type Delivery = { addressee: Addressee; to?: string; text: MailText; messageId: string }

/** A mail that can never be delivered is not tried again. */
export async function deliver({ mailer, config }: Services, job: JobContext, delivery: Delivery): Promise<void> {
  const { user, tenant, branding } = delivery.addressee
  const workspace = { name: tenant.name, branding }
  try {
    await mailer.send({
      to: { name: oneLine(user.name), address: delivery.to ?? user.email },
      subject: oneLine(delivery.text.subject),
      ...renderMail({ workspace, ...delivery.text.content }),
      fromName: oneLine(branding.email_from_name ?? tenant.name),
      messageId: `<${delivery.messageId}@${config.APP_DOMAIN}>`,
    })
  } catch (error) {
    if (!(error instanceof MailRefused) || !error.isPermanent) throw error
    job.log.warn({ user_id: user.id }, 'a mail was refused for good')
  }
}

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
