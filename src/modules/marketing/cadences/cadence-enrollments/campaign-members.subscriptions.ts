import { systemActor } from '#platform/access'
import { tenantIdOf } from '#platform/db'
import { subscribe } from '#platform/outbox'
import { addPersons } from '../../campaigns/campaign-members/add-members.service.ts'
import { takesMembers } from '../../campaigns/campaigns/campaign-status.rules.ts'
import { findCampaign } from '../../campaigns/campaigns/campaigns.queries.ts'
import { cadenceEnrolled } from '../../marketing.events.ts'
import { findCadence } from '../cadence-records/cadences.queries.ts'

/** Adds enrolled persons to the campaign of the cadence, after the commit because persons are locked before cadences. */
export const onPersonsEnrolled = subscribe(
  cadenceEnrolled,
  'marketing.add_enrolled_members',
  async (tx, { subject, data: { enrollments }, occurred_at, origin }) => {
    if (origin === 'sample') return
    const cadence = await findCadence(tx, subject.id)
    const campaign = cadence?.campaign_id ? await findCampaign(tx, cadence.campaign_id) : undefined
    if (!campaign || !takesMembers(campaign)) return
    await addPersons(
      tx,
      systemActor(tenantIdOf(tx)),
      campaign.id,
      {
        leadIds: enrollments.flatMap(({ lead_id }) => lead_id ?? []),
        contactIds: enrollments.flatMap(({ contact_id }) => contact_id ?? []),
      },
      { via: 'cadence', now: occurred_at },
    )
  },
)
