import { type Acme, createLeadWith, leadsUrl } from '../../people/leads/leads.fixture.ts'

export type Outcome = { lead_id: string; outcome: string; code: string | null }

export async function createLeads(acme: Acme, count: number, fields: object = {}): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await createLeadWith(acme, fields)).id)
  return ids
}

export const bulkUpdate = (acme: Acme, request: object) => acme.member.post(`${leadsUrl}bulk`, request)

/** Returns the error code of each lead, or its outcome. */
export const outcomesOf = ({ body }: { body: { results: Outcome[] } }): string[] =>
  body.results.map(({ outcome, code }) => code ?? outcome)
