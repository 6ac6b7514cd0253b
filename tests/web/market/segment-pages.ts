import assert from 'node:assert/strict'
import type { Workspace } from '../web-pages.ts'

const people = [
  ['Rachel', 'Bennett', 'Summit Systems', 'Logistics', 'DE', 82, 'qualified'],
  ['Omar', 'Hassan', 'Northgate Energy', 'Energy', 'GB', 74, 'working'],
  ['Hannah', 'Palmer', 'Sandstone Logistics', 'Logistics', 'GB', 68, 'contacted'],
  ['Nicolas', 'Girard', 'Copperfield Energy', 'Energy', 'FR', 65, 'new'],
  ['Lukas', 'Vogel', 'Juniper Logistics', 'Logistics', 'DE', 61, 'working'],
  ['Anna', 'Keller', 'Meridian Logistics', 'Logistics', 'DE', 40, 'new'],
  ['Elena', 'Navarro', 'Highfield Software', 'Software', 'ES', 91, 'qualified'],
  ['James', 'Porter', 'Windmill Logistics', 'Logistics', 'GB', 77, 'nurturing'],
] as const

/** Leads of several industries, some of which have submitted a form. */
export async function createAudience({ admin, sql, id }: Workspace) {
  const post = async (path: string, body: object) => {
    const response = await admin.post(path, body)
    assert.ok(response.status < 300, JSON.stringify(response.body))
    return response.body
  }
  const leads: string[] = []
  for (const [first_name, last_name, company, industry, country] of people) {
    const lead = await post('/api/leads/', { first_name, last_name, company, industry, country })
    leads.push(lead.id)
  }
  for (const lead of leads.slice(0, 3))
    await post(`/api/leads/${lead}/activities`, { type: 'form_submitted', occurred_at: new Date().toISOString() })
  // Activities change the score.
  for (const [at, [, , , , , score, status]] of people.entries())
    await sql('update crm.leads set score = $2, status = $3 where tenant_id = $4 and id = $1', [
      leads[at],
      score,
      status,
      id,
    ])
  const campaign = await post('/api/campaigns/', { name: 'Webinar: <b>pipeline</b> reviews', type: 'webinar' })
  return { leads, campaign: campaign.id as string }
}

/** A rule with a group in a group, a fact with parameters and a negation. */
export const nestedRule = (campaign_id: string) => ({
  all: [
    { field: 'industry', op: 'in', value: ['Logistics', 'Energy'] },
    { field: 'score', op: 'gte', value: 60 },
    {
      any: [
        { fact: 'activity', types: ['form_submitted', 'email_replied'], within_days: 30 },
        { fact: 'campaign', campaign_id, responded: true },
        {
          all: [
            { field: 'country', op: 'eq', value: 'DE' },
            { fact: 'product_usage', event: 'report_opened', min_events: 5 },
          ],
        },
      ],
    },
    { not: { any: [{ field: 'status', op: 'in', value: ['converted', 'unqualified'] }] } },
  ],
})

const warm = { all: [{ field: 'score', op: 'gte', value: 60 }] }

export async function createSegment(acme: Workspace, segment: object, by = acme.manager): Promise<{ id: string }> {
  const response = await by.post('/api/segments', { object_type: 'lead', rules: warm, ...segment })
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return response.body
}
