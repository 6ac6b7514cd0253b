import { leadCreated } from '#events/crm'
import { listLeadMilestones, listLeadUtmCampaigns } from '#modules/crm'
import { actorOf } from '#platform/db'
import { subscribeInTransaction } from '#platform/outbox'
import { toUtmKey } from '../campaigns/campaign-columns.service.ts'
import { hasUtmCampaigns, lockCampaignsByUtmKeyShared } from '../campaigns/campaigns.queries.ts'
import { insertPersons } from './add-members.service.ts'
import { firstResponseStatus } from './member-status.rules.ts'

/** New leads that came through the link of a campaign become members that have responded. */
export const onLeadsWithUtmCreated = subscribeInTransaction(
  leadCreated,
  'marketing.utm_members',
  async (tx, events) => {
    if (!(await hasUtmCampaigns(tx))) return
    const leads = await listLeadUtmCampaigns(
      tx,
      events.map(({ subject }) => subject.id),
    )
    const leadsByKey = Map.groupBy(leads, ({ utm_campaign }) => toUtmKey(utm_campaign))
    const campaigns = leads.length ? await lockCampaignsByUtmKeyShared(tx, [...leadsByKey.keys()]) : []
    if (!campaigns.length) return
    const milestones = await listLeadMilestones(
      tx,
      leads.map(({ id }) => id),
    )
    const reached = new Map(milestones.map(({ id, ...flags }) => [id, flags]))
    for (const campaign of campaigns) {
      const own = leadsByKey.get(campaign.utm_key)!
      const persons = own.map(({ id, created_at }) => ({
        lead_id: id,
        contact_id: null,
        lead_created_at: created_at,
        ...reached.get(id)!,
      }))
      const status = firstResponseStatus(campaign)
      await insertPersons(tx, actorOf(tx), campaign, persons, { status, via: 'utm', now: own[0]!.created_at })
    }
  },
)
