import assert from 'node:assert/strict'
import { euros, newContact } from '../../../src/modules/crm/deals/opportunities/opportunities.fixture.ts'
import { addMembers } from '../../../src/modules/marketing/campaigns/campaigns/campaigns.fixture.ts'
import type { Workspace } from '../web-pages.ts'

export const campaignName = 'Webinar: pipeline reviews that work'

const dayMs = 86_400_000

const dayFrom = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

/** Creates a campaign of the admin with a lead, a contact who has responded, and a deal, and a draft without people. */
export async function createCampaigns(acme: Workspace, { lead, deal }: { lead: string; deal: string }) {
  const create = async (fields: object): Promise<string> => {
    const { status, body } = await acme.admin.post('/api/campaigns/', { type: 'webinar', ...fields })
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  }
  const campaign = await create({
    name: campaignName,
    start_on: dayFrom(-40),
    end_on: dayFrom(5),
    budget: euros('6000'),
    actual_cost: euros('5640'),
    expected_responses: 60,
    utm_campaign: 'reviews_2026',
    tags: ['pipeline'],
  })
  assert.equal((await acme.admin.patch(`/api/campaigns/${campaign}`, { status: 'active' })).status, 200)
  await addMembers(acme, campaign, { lead_ids: [lead] })
  const at = new Date(Date.now() - 20 * dayMs).toISOString()
  const contact = await newContact(acme, 'Okafor')
  await addMembers(acme, campaign, { contact_ids: [contact], status: 'attended' })
  await acme.sql(
    'update marketing.campaign_members set first_touched_at = $2, responded_at = $2 where campaign_id = $1 and responded',
    [campaign, at],
  )
  assert.equal((await acme.admin.patch(`/api/opportunities/${deal}`, { primary_contact_id: contact })).status, 200)
  // The schedule calculates the same touch within a minute.
  await acme.sql(
    `insert into marketing.opportunity_touches (tenant_id, id, opportunity_id, campaign_id, touch_at, position, of, kind,
       amount_base_minor, first_minor, last_minor, linear_minor, frozen)
     values ($1, gen_random_uuid(), $2, $3, $4, 1, 1, 'open', 9200000, 9200000, 9200000, 9200000, false)
     on conflict on constraint opportunity_touches_unique do nothing`,
    [acme.id, deal, campaign, at],
  )
  return { campaign, draft: await create({ name: 'Trade fair in Hanover', type: 'event' }) }
}
