import assert from 'node:assert/strict'
import { runTenantSchedule, type TestUser } from '#testing'
import { euros, newDeal } from '../../../src/modules/crm/deals/opportunities/opportunities.fixture.ts'
import {
  attributeDeals,
  daysAgo,
  listOpps,
  win,
} from '../../../src/modules/marketing/campaigns/attribution/attribution.fixture.ts'
import {
  addResponse,
  listMembers,
  updateMember,
} from '../../../src/modules/marketing/campaigns/campaigns/campaigns.fixture.ts'
import { processMarksSchedule } from '../../../src/modules/plg/maintenance/process-marks.jobs.ts'
import { sendEvents, usageEvent } from '../../../src/modules/plg/plg.fixture.ts'
import type { startWeb, Workspace } from '../web-pages.ts'

type Web = Awaited<ReturnType<typeof startWeb>>

export const campaignName = 'News about <b>reports</b>'

async function create(user: TestUser, path: string, body: object): Promise<string> {
  const response = await user.post(path, body)
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return response.body.id
}

/** Contacts who use the product, their deals, and two campaigns. The first contact has responded to the other campaign before. */
export async function createCustomers(web: Web, acme: Workspace) {
  const { db, systemDb, services } = web
  const { manager } = acme
  const people = [
    { first_name: 'Ann', last_name: '<i>Brown</i>', country: 'DE', uses: 6 },
    { first_name: 'Ben', last_name: 'Weber', country: 'FR', title: 'Head of Sales', uses: 0 },
    { first_name: 'Cleo', last_name: 'Roux', country: 'FR', uses: 2 },
  ]
  const contacts: string[] = []
  for (const [at, { uses, ...person }] of people.entries()) {
    const email = `person${at}@customers.example`
    contacts.push(await create(manager, '/api/contacts/', { ...person, email }))
    const event = { name: 'report_opened', user_ref: `user-${at}`, user: { email } }
    if (uses > 0) await sendEvents(manager, ...Array.from({ length: uses }, () => usageEvent(event)))
  }
  await runTenantSchedule({ db, systemDb }, processMarksSchedule(services))
  const [ann, ben, cleo] = contacts as [string, string, string]
  const other = await create(manager, '/api/campaigns/', { name: 'Newsletter', type: 'email' })
  const campaign = await create(manager, '/api/campaigns/', { name: campaignName, type: 'email' })
  await addResponse(acme, other, { contact_ids: [ann] }, daysAgo(30))
  const deal = async (name: string, contact: string, amount: string): Promise<string> =>
    (await newDeal(acme, { name, primary_contact_id: contact, amount: euros(amount) })).id
  const deals = {
    boilers: await deal('Boilers <u>north</u>', ann, '10000.01'),
    engines: await deal('Engines', ann, '6000.50'),
    pumps: await deal('Pumps', ben, '2500'),
    valves: await deal('Valves', cleo, '800'),
  }
  return {
    campaign,
    /** All people of the campaign respond. */
    async respond() {
      for (const { id } of await listMembers(acme, campaign))
        await updateMember(acme, campaign, id, { status: 'clicked' })
    },
    /** Two deals are won, and the touches of all deals are calculated. */
    async winDeals() {
      for (const id of [deals.boilers, deals.pumps]) assert.equal((await win(acme, id)).status, 200)
      await attributeDeals(web)
    },
    /** The share of the other campaign in each deal, by the name of the deal. */
    async listOtherShares(): Promise<Map<string, number>> {
      const touched = await listOpps(acme, other)
      return new Map(
        touched.map(({ opportunity, credit }: TouchedDeal) => [opportunity.name, toCents(credit.linear.amount)]),
      )
    },
  }
}

type TouchedDeal = { opportunity: { name: string }; credit: { linear: { amount: string } } }

export const toCents = (amount: string): number => Math.round(Number(amount.replaceAll(/[^\d.]/g, '')) * 100)
