import { getTenant, workspaceUrl } from '#modules/identity'
import { isTransactionConflict, type TenantTx, withSavepoint } from '#platform/db'
import type { Mail } from '#platform/mail'
import type { Services } from '#platform/module'
import { generateSecretToken, hashToken } from '#platform/secrets'
import { readCrmSettings } from '../settings/crm-settings.queries.ts'
import { findContactRefusals } from './contact-permission.service.ts'
import { completeContent, type EmailSender, toMail } from './email-content.rules.ts'
import { type EmailContent, type EmailKind, emailKindsOf, type SkippedEmail } from './email-kind.ts'
import { type DueEmail, type EmailClaim, lockDueEmails, updateDueEmails } from './email-messages.queries.ts'
import { emitEmailResults } from './email-results.service.ts'
import { retryLater } from './send-results.rules.ts'

export type ClaimedEmail = { id: string; attempts: number; mail: Mail }
type Draft = DueEmail & { token: string; unsubscribe_url: string }
type RenderResult = EmailContent | SkippedEmail | { error: string }

/** Claims due messages, rendered and checked in the same transaction. `found` counts those that are skipped too. */
export async function claimEmails(
  tx: TenantTx,
  services: Services,
  { claimId, limit }: { claimId: string; limit: number },
): Promise<{ found: number; emails: ClaimedEmail[] }> {
  const now = services.clock.now()
  const kinds = emailKindsOf(services)
  const due = await lockDueEmails(tx, { kinds: [...kinds.keys()], now, limit })
  if (!due.length) return { found: 0, emails: [] }

  const { sender, slug } = await readSender(tx)
  const drafts = due.map((email): Draft => {
    const token = generateSecretToken()
    return { ...email, token, unsubscribe_url: workspaceUrl(services.config, slug, `/unsubscribe/${token}`) }
  })
  const results = new Map<string, RenderResult>()
  for (const kind of kinds.values()) {
    const ofKind = drafts.filter((draft) => draft.kind === kind.kind)
    if (!ofKind.length) continue
    for (const [id, result] of await renderAllowed(tx, services, kind, ofKind)) results.set(id, result)
  }

  const claims = drafts.map((draft) =>
    toClaim(draft, results.get(draft.id), {
      ...{ services, sender, now },
      keepsBody: kinds.get(draft.kind)!.keepsBody,
    }),
  )
  await updateDueEmails(
    tx,
    claims.map(({ claim }) => claim),
    { claimId, now },
  )
  const refs = claims.map(({ claim, draft: { kind, ref_id } }) => ({
    ...{ id: claim.id, kind, ref_id, state: claim.state },
    reason: claim.skip_reason ?? null,
  }))
  await emitEmailResults(tx, claimId, refs)
  const emails = claims.flatMap(({ draft: { id, attempts }, mail }) => (mail ? [{ id, attempts, mail }] : []))
  return { found: due.length, emails }
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

async function renderAllowed(
  tx: TenantTx,
  services: Services,
  kind: EmailKind,
  drafts: readonly Draft[],
): Promise<Map<string, RenderResult>> {
  const addresses = drafts.map(({ to_address }) => to_address)
  const refusals = await findContactRefusals(tx, services, addresses, kind.channel)
  const allowed = drafts.filter(({ to_address }) => !refusals.has(to_address))
  const rendered = allowed.length ? await renderSafely(tx, services, kind, allowed) : new Map<string, RenderResult>()
  return new Map(
    drafts.map(({ id, to_address }) => {
      const refusal = refusals.get(to_address)
      return [id, refusal ? { skip: refusal } : (rendered.get(id) ?? { skip: 'not_rendered' })]
    }),
  )
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
  if ('error' in result) return claimAs(retryLater(attempts, now, result.error))

  const content = completeContent(result, sender, unsubscribeUrl)
  const messageId = `<${id}@${services.config.APP_DOMAIN}>`
  const mail = toMail(draft, content, sender, { messageId, unsubscribeUrl })
  const claim: Omit<EmailClaim, 'id'> = {
    ...{ state: 'claimed', message_id: messageId, token_hash: hashToken(token).toString('hex') },
    subject: content.subject,
    ...(keepsBody && { body_text: content.text, body_html: content.html }),
  }
  return claimAs(claim, mail)
}
