import type { TenantTx } from '#platform/db'
import type { Mail } from '#platform/mail'
import { readSender } from './claim-emails.service.ts'
import { completeContent, toSingleLine } from './email-content.rules.ts'
import type { EmailContent } from './email-kind.ts'

/** Leads nowhere, because a test email must not opt anyone out. */
export const testUnsubscribeUrl = 'https://unsubscribe.example/'

type TestMail = { content: EmailContent; to: { name: string | null; address: string }; messageId: string }

/** Completes a text as for a recipient, without the headers that unsubscribe. */
export async function createTestMail(tx: TenantTx, { content, to, messageId }: TestMail): Promise<Mail> {
  const { sender } = await readSender(tx)
  const { subject, text, html, fromName, replyTo } = completeContent(content, sender, testUnsubscribeUrl)
  return {
    to: { name: to.name === null ? null : toSingleLine(to.name), address: to.address },
    fromName: toSingleLine(fromName ?? sender.fromName ?? sender.workspaceName),
    ...(replyTo && { replyTo: { name: null, address: replyTo } }),
    subject,
    text,
    html,
    messageId,
  }
}
