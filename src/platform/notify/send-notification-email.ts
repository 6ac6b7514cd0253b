import type { TenantTx } from '#platform/db'
import { defineJobHandler, type JobHandler } from '#platform/jobs'
import { type Mail, MailError, type Mailer, renderMail } from '#platform/mail'
import type { UsageCounter } from '#platform/usage'
import { channelsFor } from './channels.rules.ts'
import { findNotificationKind, getRecipientDirectory, type NotificationKind } from './notification.ts'
import { formatNotificationEmail } from './notification-email.rules.ts'
import { assignNotificationsToEmail, listNotificationsOfEmail, markEmailSent } from './notifications.queries.ts'
import { sendNotificationEmailJob } from './notify.ts'

type EmailServices = { mailer: Mailer; usage: Pick<UsageCounter, 'count'>; mailDomain: string }
type EmailJob = { user_id: string; kind: string; coalesce_key: string | null; mail_id: string }

/** Sends the emails queued by `notify`. A retry sends the same content with the same message id. */
export const sendNotificationEmailHandler = ({ mailer, usage, mailDomain }: EmailServices): JobHandler =>
  defineJobHandler(sendNotificationEmailJob, async ({ inTenant, tenantId, log }, job) => {
    await inTenant((tx) => assignWaitingNotifications(tx, job))
    const mail = await inTenant((tx) => composeEmail(tx, job, mailDomain))
    if (!mail) return

    try {
      await mailer.send(mail)
      usage.count(tenantId, 'emails_sent')
    } catch (error) {
      if (!(error instanceof MailError && error.isPermanent)) throw error
      log.warn({ err: error, mail_id: job.mail_id }, 'a notification email was rejected permanently')
      return
    }
    await inTenant((tx) => markEmailSent(tx, job.mail_id))
  })

/** Assigns notifications only on the first attempt, so that a retry sends the same email. */
async function assignWaitingNotifications(
  tx: TenantTx,
  { user_id, kind, coalesce_key, mail_id }: EmailJob,
): Promise<void> {
  if (coalesce_key === null || (await listNotificationsOfEmail(tx, mail_id)).length) return
  await assignNotificationsToEmail(tx, { userId: user_id, kind, coalesceKey: coalesce_key, mailId: mail_id })
}

/** Returns undefined if the email was already sent, its notifications are deleted, or the recipient has disabled it. */
async function composeEmail(
  tx: TenantTx,
  { user_id, kind: name, mail_id }: EmailJob,
  domain: string,
): Promise<Mail | undefined> {
  const kind = findNotificationKind(name)
  if (!kind) throw new Error(`Unknown notification kind: ${name}.`)
  const notifications = await listNotificationsOfEmail(tx, mail_id)
  const recipient = await getRecipientDirectory(tx).find(tx, user_id)
  const isPending = notifications.length && notifications.every(({ mailed_at }) => mailed_at === null)
  if (!isPending || !recipient || !channelsFor(kind, recipient).email) return undefined

  const content = await contentOf(tx, kind, notifications)
  return {
    to: { name: recipient.name, address: recipient.email },
    fromName: content.workspace.name,
    subject: content.title,
    ...renderMail(content),
    messageId: `<${mail_id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

async function contentOf(tx: TenantTx, kind: NotificationKind, notifications: { payload: unknown }[]) {
  const { urlOf, ...workspace } = await getRecipientDirectory(tx).workspace(tx)
  const { action, ...text } = formatNotificationEmail(
    kind,
    notifications.map(({ payload }) => kind.text(payload)),
  )
  return { workspace, ...text, ...(action && { action: { label: action.label, url: urlOf(action.path) } }) }
}
