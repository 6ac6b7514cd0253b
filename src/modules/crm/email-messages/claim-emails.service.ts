import { getTenant, workspaceUrl } from '#modules/identity'
import { isTransactionConflict, type TenantTx, withSavepoint } from '#platform/db'
import type { Mail } from '#platform/mail'
import type { Services } from '#platform/module'
import { generateSecretToken, hashToken } from '#platform/secrets'
import { mayContact } from '../consent/may-contact.service.ts'
import { readCrmSettings } from '../settings/crm-settings.queries.ts'
import { completeContent, type EmailSender, toMail } from './email-content.rules.ts'
import {
  type EmailContent,
  type EmailKind,
  emailKindsOf,
  type PostponedEmail,
  type SkippedEmail,
} from './email-kind.ts'
import {
  type DueEmail,
  type EmailClaim,
  listDueEmails,
  lockWaitingEmails,
  updateDueEmails,
} from './email-messages.queries.ts'
import { emitEmailResults } from './email-results.service.ts'
import { postponeUntil, retryLater } from './send-results.rules.ts'

export type ClaimedEmail = { id: string; attempts: number; mail: Mail }
type Draft = DueEmail & { token: string; unsubscribe_url: string }
type RenderResult = EmailContent | SkippedEmail | PostponedEmail | { error: string }

/** Claims due messages, rendered and checked in the same transaction. `found` counts those that are skipped too. */
export async function claimEmails(
  tx: TenantTx,
  services: Services,
  { claimId, limit }: { claimId: string; limit: number },
): Promise<{ found: number; emails: ClaimedEmail[] }> {
  const now = services.clock.now()
  const kinds = emailKindsOf(services)
  const due = await listDueEmails(tx, { kinds: [...kinds.keys()], now, limit })
  if (!due.length) return { found: 0, emails: [] }

  const refusals = await findRefusals(tx, services, kinds, due)
  const [{ sender, slug }, locked] = await Promise.all([
    readSender(tx),
    lockWaitingEmails(
      tx,
      due.map(({ id }) => id),
    ),
  ])
  const drafts = due.filter(({ id }) => locked.has(id)).map((email) => toDraft(email, services, slug))
  const results = new Map<string, RenderResult>(refusals)
  for (const [kind, ofKind] of Map.groupBy(drafts, (draft) => draft.kind)) {
    const allowed = ofKind.filter(({ id }) => !refusals.has(id))
    if (!allowed.length) continue
    for (const [id, result] of await renderSafely(tx, services, kinds.get(kind)!, allowed)) results.set(id, result)
  }

  const claims = drafts.map((draft) => {
    const { keepsBody } = kinds.get(draft.kind)!
    return toClaim(draft, results.get(draft.id), { services, sender, now, keepsBody })
  })
  await storeClaims(tx, claims, { claimId, now })
  const emails = claims.flatMap(({ draft: { id, attempts }, mail }) => (mail ? [{ id, attempts, mail }] : []))
  return { found: drafts.length, emails }
}

async function findRefusals(
  tx: TenantTx,
  services: Services,
  kinds: ReadonlyMap<string, EmailKind>,
  due: readonly DueEmail[],
): Promise<Map<string, SkippedEmail>> {
  const refusals = new Map<string, SkippedEmail>()
  for (const [channel, ofChannel] of Map.groupBy(due, ({ kind }) => kinds.get(kind)!.channel)) {
    const addresses = ofChannel.map(({ to_address }) => to_address)
    const permissions = await mayContact(tx, services, addresses, { channel })
    for (const { id, to_address } of ofChannel) {
      const permission = permissions.get(to_address)!
      if (!permission.allowed) refusals.set(id, { skip: permission.code })
    }
  }
  return refusals
}

function toDraft(email: DueEmail, { config }: Services, slug: string): Draft {
  const token = generateSecretToken()
  return { ...email, token, unsubscribe_url: workspaceUrl(config, slug, `/unsubscribe/${token}`) }
}

async function storeClaims(
  tx: TenantTx,
  claims: readonly ReturnType<typeof toClaim>[],
  claiming: { claimId: string; now: Date },
): Promise<void> {
  await updateDueEmails(
    tx,
    claims.map(({ claim }) => claim),
    claiming,
  )
  const refs = claims.map(({ claim: { id, state, skip_reason }, draft: { kind, ref_id } }) => ({
    id,
    kind,
    ref_id,
    state,
    reason: skip_reason ?? null,
  }))
  await emitEmailResults(tx, { id: claiming.claimId, now: claiming.now }, refs)
}

async function readSender(tx: TenantTx): Promise<{ sender: EmailSender; slug: string }> {
  const [{ name, slug }, { sending }] = await Promise.all([getTenant(tx), readCrmSettings(tx)])
  const sender = {
    workspaceName: name,
    fromName: sending.from_name,
    replyTo: sending.from_address,
    postalAddress: sending.postal_address,
  }
  return { sender, slug }
}

/** Renders the messages one by one after an error, so that one message cannot stop the others. */
async function renderSafely(
  tx: TenantTx,
  services: Services,
  kind: EmailKind,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<string, RenderResult>> {
  try {
    return await withSavepoint(tx, () => kind.render(tx, services, drafts))
  } catch (error) {
    if (isTransactionConflict(error)) throw error
    const [first, ...others] = drafts
    if (first && !others.length) {
      services.log.warn({ err: error, kind: kind.kind, email_message_id: first.id }, 'email could not be rendered')
      return new Map([[first.id, { error: `The message could not be rendered: ${(error as Error).name}.` }]])
    }
  }
  const rendered = new Map<string, RenderResult>()
  for (const draft of drafts)
    for (const [id, result] of await renderSafely(tx, services, kind, [draft])) rendered.set(id, result)
  return rendered
}

type ClaimContext = { services: Services; sender: EmailSender; now: Date; keepsBody?: boolean }

function toClaim(draft: Draft, result: RenderResult | undefined, { services, sender, now, keepsBody }: ClaimContext) {
  const { id, attempts, token, unsubscribe_url: unsubscribeUrl } = draft
  const claimAs = (claim: Omit<EmailClaim, 'id'>, mail?: Mail) => ({ draft, claim: { id, ...claim }, mail })
  if (!result) return claimAs({ state: 'skipped', skip_reason: 'not_rendered' })
  if ('skip' in result) return claimAs({ state: 'skipped', skip_reason: result.skip })
  if ('postpone' in result) return claimAs(postponeUntil(result.postpone, now))
  if ('error' in result) return claimAs(retryLater(attempts, now, result.error))

  const content = completeContent(result, sender, unsubscribeUrl)
  const messageId = `<${id}@${services.config.APP_DOMAIN}>`
  const mail = toMail(draft, content, sender, { messageId, unsubscribeUrl })
  const claim: Omit<EmailClaim, 'id'> = {
    state: 'claimed',
    message_id: messageId,
    token_hash: hashToken(token).toString('hex'),
    subject: content.subject,
    ...(keepsBody && { body_text: content.text, body_html: content.html }),
  }
  return claimAs(claim, mail)
}
