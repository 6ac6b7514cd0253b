import { api, read, type Schemas, withKey } from '../../../api/client.ts'
import type { Page, PageRequest } from '../../../api/pages.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import type { MemberQuery } from './member-search.ts'

export type Member = Schemas['CampaignMember']
export type StartedTask = { task_id: string }
export type Segment = Schemas['SegmentSummary']

const pathOf = (id: string) => ({ path: { campaign_id: id } })

/** Large changes are made by a task. */
export const isTask = (response: object): response is StartedTask => 'task_id' in response

export const loadMemberPage =
  (campaignId: string) => (query: MemberQuery) => (request: PageRequest, signal?: AbortSignal) =>
    read(
      api.GET('/api/campaigns/{campaign_id}/members', {
        params: { ...pathOf(campaignId), query: { ...query, ...request } },
        signal,
      }),
    ) as Promise<Page<Member>>

export const setMemberStatus = (campaignId: string, member_ids: string[], status: string) =>
  read(
    api.POST('/api/campaigns/{campaign_id}/members/bulk-status', {
      params: pathOf(campaignId),
      body: { member_ids, status },
    }),
  )

export const removeMembers = (campaignId: string, member_ids: string[]) =>
  read(
    api.POST('/api/campaigns/{campaign_id}/members/bulk-remove', { params: pathOf(campaignId), body: { member_ids } }),
  )

export const addMembers = (campaignId: string, body: Schemas['AddCampaignMembersRequest'], key: string) =>
  read(api.POST('/api/campaigns/{campaign_id}/members', { params: pathOf(campaignId), headers: withKey(key), body }))

export const addSegment = (segmentId: string, body: Schemas['EnrollSegmentRequest'], key: string) =>
  read(
    api.POST('/api/segments/{segment_id}/enroll', {
      params: { path: { segment_id: segmentId } },
      headers: withKey(key),
      body,
    }),
  )

/** The API changes at most this many members with one request. */
export const mostMembers = 10_000
const idsPerPage = 200

/** Reads the ids of all members that match. */
export async function readMemberIds(campaignId: string, query: MemberQuery): Promise<string[]> {
  const load = loadMemberPage(campaignId)(query)
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await load({ limit: idsPerPage, count: 'none', ...(cursor && { cursor }) } as PageRequest)
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor ?? undefined
    if (!cursor || ids.length >= mostMembers) return ids.slice(0, mostMembers)
  }
}

export type SegmentChoice = Choice & { segment: Segment }

/** Segments of leads and contacts, whose members can be in a campaign. */
export async function findSegments(search: string, signal: AbortSignal): Promise<SegmentChoice[]> {
  const query = { search: search || undefined, limit: 20, count: 'none' as const }
  const { items } = await read(api.GET('/api/segments', { params: { query }, signal }))
  const ofPeople = items.filter(({ object_type }) => object_type !== 'account')
  return ofPeople.map((segment) => ({ id: segment.id, name: segment.name, detail: segment.description, segment }))
}

export type PersonChoice = Choice & { id: string; type: 'lead' | 'contact' }

const leastLetters = 2

export async function findPeople(text: string, signal: AbortSignal): Promise<PersonChoice[]> {
  if (text.length < leastLetters) return []
  const query = { q: text, types: ['lead' as const, 'contact' as const], limit: 6 }
  const { items } = await read(api.GET('/api/search', { params: { query }, signal }))
  return items.map(({ id, type, title, subtitle }) => ({
    id,
    name: title,
    detail: subtitle,
    type: type as PersonChoice['type'],
  }))
}
