import type { TenantTx } from '#platform/db'
import { defineExtensionPoint, type Services } from '#platform/module'

export type EmailToRender = {
  id: string
  ref_id: string
  to_address: string
  lead_id: string | null
  contact_id: string | null
  /** Works once the message is sent. It is appended to texts that do not contain it. */
  unsubscribe_url: string
}

export type EmailContent = {
  subject: string
  text: string
  html?: string
  /** Replaces the name of the sender in the settings. The email address stays the same. */
  fromName?: string | null
  /** Replaces the email address for replies in the settings. */
  replyTo?: string | null
  /** `Message-ID` of an earlier email with angle brackets, so that email programs show both as one conversation. */
  inReplyTo?: string | null
}
export type SkippedEmail = { skip: string }
/** Keeps the message waiting until then, at least for a minute, without using up an attempt. */
export type PostponedEmail = { postpone: Date }

export type EmailKind = {
  kind: string
  /** The channel that the recipient must not have opted out of, and that the unsubscribe link stops. */
  channel: 'email' | 'survey'
  keepsBody?: boolean
  /** A reply without a known message id belongs to the newest email of such a kind, before those of other kinds. */
  expectsReplies?: boolean
  /** Messages above a daily limit are sent at the time `run_at` of a later day. */
  onPostponed?(tx: TenantTx, messages: readonly { ref_id: string; run_at: Date }[]): Promise<void>
  /** Renders the messages in few statements, in the transaction that claims them. Changes nothing. */
  render(
    tx: TenantTx,
    services: Services,
    messages: readonly EmailToRender[],
  ): Promise<ReadonlyMap<string, EmailContent | SkippedEmail | PostponedEmail>>
}

export const emailKindPoint = defineExtensionPoint<EmailKind>('kinds of marketing email')

export const emailKindsOf = ({ registry }: Pick<Services, 'registry'>): Map<string, EmailKind> =>
  new Map(registry.extensionsOf(emailKindPoint).map((kind) => [kind.kind, kind]))
