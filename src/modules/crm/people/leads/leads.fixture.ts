import type { startTestApp } from '#testing'

export type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

export const leadsUrl = '/api/leads/'

/** Creates a lead and overwrites columns that the API does not set. */
export async function createLeadWith(acme: Acme, input: object, columns: Record<string, unknown> = {}) {
  const { status, body } = await acme.member.post(leadsUrl, { last_name: 'Moss', ...input })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const names = Object.keys(columns)
  if (names.length)
    await acme.sql(
      `update crm.leads set ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} where id = $1`,
      [body.id, ...Object.values(columns)],
    )
  return body
}

export async function listIds(acme: Acme, query: string): Promise<string[]> {
  const { status, body } = await acme.member.get(`${leadsUrl}?${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.items.map(({ id }: { id: string }) => id)
}

export async function listIdsByPage(acme: Acme, query: string, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await acme.member.get(`${leadsUrl}?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
    ids.push(...body.items.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor
  }
  return ids
}
