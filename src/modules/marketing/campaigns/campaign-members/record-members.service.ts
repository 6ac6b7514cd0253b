import { logSignals } from '#modules/crm'
import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { DomainEvent } from '#platform/outbox'
import { emitMany } from '#platform/outbox'
import { campaignMemberResponded } from '../../marketing.events.ts'
import { insertAttributionMarks, markPersons } from '../attribution/marks.queries.ts'
import type { CampaignRow } from '../campaigns/campaigns.queries.ts'
import type { MemberRef } from './members.queries.ts'

const membersPerEvent = 200

type MembersEvent = typeof campaignMemberResponded & DomainEvent

export async function emitMembers(
  tx: TenantTx,
  event: MembersEvent,
  campaign: Pick<CampaignRow, 'id' | 'version'>,
  members: readonly MemberRef[],
): Promise<void> {
  const chunks: MemberRef[][] = []
  for (let start = 0; start < members.length; start += membersPerEvent)
    chunks.push(members.slice(start, start + membersPerEvent))
  await emitMany(
    tx,
    event,
    chunks.map((chunk) => ({
      subject: campaign,
      data: { members: chunk.map(({ id, lead_id, contact_id }) => ({ id, lead_id, contact_id })) },
    })),
  )
}

/** Records the first response of members: activities of the persons, the event, and new attribution of their deals. */
export async function recordResponses(
  tx: TenantTx,
  actor: Actor,
  campaign: CampaignRow,
  members: readonly MemberRef[],
  now: Date,
): Promise<void> {
  if (!members.length) return
  const signals = members.map(({ id, lead_id, contact_id }) => ({
    ...(contact_id ? { kind: 'contact' as const, id: contact_id } : { kind: 'lead' as const, id: lead_id! }),
    external_id: id,
    subject: campaign.name,
    campaign_id: campaign.id,
    at: now,
  }))
  await logSignals(tx, actor, signals, { type: 'campaign_responded', source: 'campaign', now })
  await emitMembers(tx, campaignMemberResponded, campaign, members)
  await insertAttributionMarks(tx, markPersons(members))
}
