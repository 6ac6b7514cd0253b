import type { TenantTx } from '#platform/db'
import { handleJob, type JobHandler } from '#platform/jobs'
import { type Mail, type Mailer, MailRefused, renderMail } from '#platform/mail'
import { addressBook } from './address-book.ts'
import { channelsFor } from './channels.rules.ts'
import { findNotificationKind, type NotificationKind } from './notification.ts'
import { mailTextOf } from './notification-mail.rules.ts'
import { gatherIntoMail, listNotificationsOfMail, markMailed } from './notifications.queries.ts'
import { mailNotifications } from './notify.ts'

type Order = { user_id: string; kind: string; coalesce_key: string | null; mail_id: string }

/** Sends the mails that `notify` ordered. Sent twice, a mail has the same content and the same id. */
export const mailingNotifications = ({ mailer, mailDomain }: { mailer: Mailer; mailDomain: string }): JobHandler =>
  handleJob(mailNotifications, async ({ inTenant, log }, order) => {
    await inTenant((tx) => gather(tx, order))
    const mail = await inTenant((tx) => compose(tx, order, mailDomain))
    if (!mail) return

    try {
      await mailer.send(mail)
    } catch (error) {
      if (!(error instanceof MailRefused && error.isPermanent)) throw error
      log.warn({ err: error, mail_id: order.mail_id }, 'a notification could not be mailed')
      return
    }
    await inTenant((tx) => markMailed(tx, order.mail_id))
  })

/** Once: a repeated run sends what the first one meant to send. */
async function gather(tx: TenantTx, { user_id, kind, coalesce_key, mail_id }: Order): Promise<void> {
  if (coalesce_key === null || (await listNotificationsOfMail(tx, mail_id)).length) return
  await gatherIntoMail(tx, { userId: user_id, kind, coalesceKey: coalesce_key, mailId: mail_id })
}

/** Undefined when there is nothing to send any more: it was sent, it is gone, or the person is not to hear of it. */
async function compose(
  tx: TenantTx,
  { user_id, kind: name, mail_id }: Order,
  domain: string,
): Promise<Mail | undefined> {
  const kind = findNotificationKind(name)
  if (!kind) throw new Error(`Nobody here knows the notification ${name}.`)
  const gathered = await listNotificationsOfMail(tx, mail_id)
  const person = await addressBook().find(tx, user_id)
  const isToBeSent = gathered.length && gathered.every(({ mailed_at }) => mailed_at === null)
  if (!isToBeSent || !person || !channelsFor(kind, person).email) return undefined

  const content = await contentOf(tx, kind, gathered)
  return {
    to: { name: person.name, address: person.email },
    fromName: content.workspace.name,
    subject: content.title,
    ...renderMail(content),
    messageId: `<${mail_id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

async function contentOf(tx: TenantTx, kind: NotificationKind, gathered: { payload: unknown }[]) {
  const { urlOf, ...workspace } = await addressBook().workspace(tx)
  const { action, ...text } = mailTextOf(
    kind,
    gathered.map(({ payload }) => kind.text(payload)),
  )
  return { workspace, ...text, ...(action && { action: { label: action.label, url: urlOf(action.path) } }) }
}
