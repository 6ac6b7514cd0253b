import type { startTestApp } from '#testing'

export type Workspace = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

export const hot = { field: 'score', op: 'gte', value: 50 }
export const everything = { all: [] }

let created = 0

export async function newSegment(
  acme: Workspace,
  segment: object = {},
): Promise<{ id: string; [name: string]: unknown }> {
  const defaults = { object_type: 'lead', name: `Segment ${++created}`, ...('kind' in segment ? {} : { rules: hot }) }
  const { status, body } = await acme.member.post('/api/segments', { ...defaults, ...segment })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

export const newLead = async (acme: Workspace, lead: object): Promise<string> =>
  (await acme.member.post('/api/leads/', { last_name: 'Moss', ...lead })).body.id

export async function memberIds(acme: Workspace, segmentId: string): Promise<string[]> {
  const { status, body } = await acme.member.get(`/api/segments/${segmentId}/members`)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.items.map(({ id }: { id: string }) => id)
}
