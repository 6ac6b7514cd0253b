import { findContactPermissions } from '#modules/crm'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import type { SkipReason } from './distributions.schemas.ts'
import type { Candidate } from './read-audience.service.ts'
import { listInvitedKeys, listThrottledKeys } from './recipients.queries.ts'

export type Recipient = Candidate & { email: string; email_key: string }
export type ChosenRecipients = { recipients: Recipient[]; duplicates: Recipient[]; skipped: SkipReason[] }

type Choice = {
  surveyId: string
  /** Null for a dry run. */
  distributionId: string | null
  /** Zero switches the throttle off. */
  throttleDays: number
  /** Addresses that earlier parts of a dry run have chosen. */
  chosenKeys?: ReadonlySet<string>
}

/** Decides who is invited. An address is invited once; every other person with it is a duplicate. */
export async function chooseRecipients(
  tx: TenantTx,
  candidates: readonly Candidate[],
  { surveyId, distributionId, throttleDays, chosenKeys = new Set() }: Choice,
  { clock, secrets }: Pick<Services, 'clock' | 'secrets'>,
): Promise<ChosenRecipients> {
  const addressed = candidates.flatMap(({ email, ...candidate }): Recipient[] =>
    email ? [{ ...candidate, email, email_key: email.toLowerCase() }] : [],
  )
  const skipped: SkipReason[] = new Array(candidates.length - addressed.length).fill('no_email')
  if (!addressed.length) return { recipients: [], duplicates: [], skipped }
  const keys = [...new Set(addressed.map(({ email_key }) => email_key))]
  const since = daysLater(clock.now(), -throttleDays)
  const [permissions, invited, throttled] = await Promise.all([
    findContactPermissions(tx, { secrets }, keys, { channel: 'survey' }),
    listInvitedKeys(tx, surveyId, distributionId, keys),
    throttleDays ? listThrottledKeys(tx, keys, since) : new Set<string>(),
  ])
  const [own, others] = [new Set(chosenKeys), new Set<string>()]
  for (const { email_key, distribution_id } of invited) {
    const isOwn = distribution_id === distributionId
    ;(isOwn ? own : others).add(email_key)
  }
  const reasonOf = (key: string): SkipReason | undefined => {
    if (own.has(key)) return 'duplicate'
    if (!permissions.get(key)!.allowed) return 'suppressed'
    if (others.has(key)) return 'already_invited'
    return throttled.has(key) ? 'throttled' : undefined
  }
  const chosen: ChosenRecipients = { recipients: [], duplicates: [], skipped }
  for (const recipient of addressed) {
    const reason = reasonOf(recipient.email_key)
    if (reason) skipped.push(reason)
    else {
      chosen.recipients.push(recipient)
      own.add(recipient.email_key)
    }
    if (reason === 'duplicate') chosen.duplicates.push(recipient)
  }
  return chosen
}
