import type { startTestApp } from '#testing'

export type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>
export type Id = { id: string }
export type Answer = Awaited<ReturnType<Acme['member']['get']>>

export const url = '/api/leads/'
export const lead = async (acme: Acme, fields: object) => (await acme.member.post(url, fields)).body
export const read = (acme: Acme, { id }: Id): Promise<Answer> => acme.member.get(`${url}${id}`)
export const merge = (acme: Acme, { id }: Id, others: Id[], more: object = {}): Promise<Answer> =>
  acme.manager.post(`${url}${id}/merge`, { duplicate_ids: others.map((other) => other.id), ...more })
export const undo = (acme: Acme, mergeId: string): Promise<Answer> => acme.manager.post(`${url}merges/${mergeId}/undo`)
export const logCall = async (acme: Acme, { id }: Id, more: object = {}) =>
  (await acme.member.post(`${url}${id}/activities`, { type: 'call', ...more })).body
export const callIdsOf = async (acme: Acme, { id }: Id): Promise<string[]> =>
  (await acme.member.get(`${url}${id}/activities?type=call`)).body.items.map((entry: Id) => entry.id).sort()
