import { mayContact, readCrmSettings } from '#modules/crm'
import { getTenant, timezoneOf, workspaceUrl } from '#modules/identity'
import { isTransactionConflict, type TenantTx, withSavepoint } from '#platform/db'
import type { Mail } from '#platform/mail'
import type { Services } from '#platform/module'
import { nextDayAt } from '../policies/email-limits.rules.ts'
import { findEmailPlaces, placeEmails } from '../policies/email-places.service.ts'
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
  listUncountedEmails,
  lockWaitingEmails,
  type PostponableEmail,
  updateDueEmails,
} from './email-messages.queries.ts'
import { emitEmailResults } from './email-results.service.ts'
import { postponeUntil, retryLater } from './send-results.rules.ts'
import { readUnsubscribeTokens } from './unsubscribe-tokens.ts'

export type ClaimedEmail = { id: string; attempts: number; mail: Mail }
type Draft = DueEmail & { unsubscribe_url: string }
type RenderResult = EmailContent | SkippedEmail | PostponedEmail | { error: string }

const postponedPerBatch = 500

export type ClaimedBatch = {
  found: number
  emails: ClaimedEmail[]
  /** Messages above a daily limit. They stay due until `postponeEmails`. */
  postponed: PostponableEmail[]
}

export async function claimEmails(
  tx: TenantTx,
  services: Services,
  { claimId, limit }: { claimId: string; limit: number },
): Promise<ClaimedBatch> {
  const now = services.clock.now()
  const kinds = emailKindsOf(services)
  const dueKinds = { kinds: [...kinds.keys()], now }
  const { day, remaining } = await findEmailPlaces(tx, now)
  if (!remaining) {
    const postponed = await listUncountedEmails(tx, { ...dueKinds, limit: postponedPerBatch, day })
    if (postponed.length) return { found: postponed.length, emails: [], postponed }
  }
  const due = await listDueEmails(tx, { ...dueKinds, limit })
  if (!due.length) return { found: 0, emails: [], postponed: [] }

  const refusals = await findRefusals(tx, services, kinds, due)
  const [{ sender, slug }, locked] = await Promise.all([
    readSender(tx),
    lockWaitingEmails(
      tx,
      due.map(({ id }) => id),
    ),
  ])
  const drafts = await toDrafts(
    tx,
    services,
    slug,
    due.filter(({ id }) => locked.has(id)),
  )
  const results = new Map<string, RenderResult>(refusals)
  for (const [kind, ofKind] of Map.groupBy(drafts, (draft) => draft.kind)) {
    const allowed = ofKind.filter(({ id }) => !refusals.has(id))
    if (!allowed.length) continue
    for (const [id, result] of await renderSafely(tx, services, kinds.get(kind)!, allowed)) results.set(id, result)
  }

  const uncounted = drafts.filter(({ id, counted_on }) => counted_on !== day && 'subject' in (results.get(id) ?? {}))
  const { postponed } = await placeEmails(tx, uncounted, now)
  const claims = drafts
    .filter((draft) => !postponed.includes(draft))
    .map((draft) => {
      const { keepsBody } = kinds.get(draft.kind)!
      return toClaim(draft, results.get(draft.id), { services, sender, now, keepsBody, day })
    })
  await storeClaims(tx, claims, { claimId, now })
  const emails = claims.flatMap(({ draft: { id, attempts }, mail }) => (mail ? [{ id, attempts, mail }] : []))
  return { found: drafts.length, emails, postponed }
}

/** Postpones messages to the next day. In a transaction of its own, because their kinds lock records of other modules. */
export async function postponeEmails(
  tx: TenantTx,
  services: Services,
  emails: readonly PostponableEmail[],
  claimId: string,
): Promise<void> {
  if (!emails.length) return
  const now = services.clock.now()
  const timezone = await timezoneOf(tx)
  const locked = await lockWaitingEmails(
    tx,
    emails.map(({ id }) => id),
  )
  const postponed = emails
    .filter(({ id }) => locked.has(id))
    .map((email) => ({ ...email, run_at: nextDayAt(email.run_at, now, timezone) }))
  if (!postponed.length) return
  await updateDueEmails(
    tx,
    postponed.map(({ id, run_at }) => ({ id, ...postponeUntil(run_at, now) })),
    { claimId, now },
  )
  const kinds = emailKindsOf(services)
  for (const [kind, ofKind] of Map.groupBy(postponed, (email) => email.kind))
    await kinds.get(kind)?.onPostponed?.(tx, ofKind)
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

async function toDrafts(tx: TenantTx, services: Services, slug: string, emails: readonly DueEmail[]): Promise<Draft[]> {
  if (!emails.length) return []
  const kinds = emailKindsOf(services)
  const tokens = await readUnsubscribeTokens(tx, services, slug)
  return emails.map((email) => {
    const { id, to_address: address, kind } = email
    const token = tokens.generate({ id, address, channel: kinds.get(kind)!.channel })
    return { ...email, unsubscribe_url: workspaceUrl(services.config, slug, `/unsubscribe/${token}`) }
  })
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

export async function readSender(tx: TenantTx): Promise<{ sender: EmailSender; slug: string }> {
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

type ClaimContext = { services: Services; sender: EmailSender; now: Date; keepsBody?: boolean; day: string }

function toClaim(draft: Draft, result: RenderResult | undefined, context: ClaimContext) {
  const { services, sender, now, keepsBody, day } = context
  const { id, attempts, unsubscribe_url: unsubscribeUrl } = draft
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
    subject: content.subject,
    counted_on: day,
    ...(keepsBody && { body_text: content.text, body_html: content.html }),
  }
  return claimAs(claim, mail)
}
