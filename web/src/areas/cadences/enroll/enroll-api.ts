import { api, read, type Schemas, withKey } from '../../../api/client.ts'
import { startTracking } from '../../../api/tasks.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { cadencePeopleTexts as texts } from '../../../texts/en/cadence-people-texts.ts'
import type { EnrollOutcome } from '../people/enroll-results.ts'

export type Person = { kind: 'lead' | 'contact'; id: string; name: string; detail?: string | null }
export type Segment = Schemas['SegmentSummary']

const maxFound = 10

/** Leads and contacts by name, email or company. Contacts have the prefix of their kind in the id. */
export async function findPersons(text: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { search: text || undefined, limit: maxFound, count: 'none' as const, fields: 'summary' as const }
  const [leads, contacts] = await Promise.all([
    read(api.GET('/api/leads/', { params: { query }, signal })),
    read(api.GET('/api/contacts/', { params: { query }, signal })),
  ])
  const toDetail = (kind: string, ...parts: (string | null | undefined)[]) =>
    [kind, ...parts].filter(Boolean).join(' · ')
  return [
    ...leads.items.map(({ id, name, email, company }) => ({
      id: `lead:${id}`,
      name: name || email || '',
      detail: toDetail(texts.enroll.lead, company ?? email),
    })),
    ...contacts.map(({ id, name, email, account }) => ({
      id: `contact:${id}`,
      name: name || email || '',
      detail: toDetail(texts.enroll.contact, account?.name ?? email),
    })),
  ]
}

export function toPerson({ id, name, detail }: Choice): Person {
  const [kind, personId] = id!.split(':')
  return { kind: kind as Person['kind'], id: personId!, name, detail }
}

export async function findSegments(text: string, signal: AbortSignal): Promise<Segment[]> {
  const query = { search: text || undefined, limit: 20, count: 'none' as const, state: 'ok' as const }
  return (await read(api.GET('/api/segments', { params: { query }, signal }))).items
}

type Task = { task_id: string }
const isTask = (response: object): response is Task => 'task_id' in response

export async function enrollPeople(
  cadenceId: string,
  people: readonly Person[],
  senderId: string | undefined,
  key: string,
) {
  const idsOf = (kind: Person['kind']) => people.filter((person) => person.kind === kind).map(({ id }) => id)
  const [lead_ids, contact_ids] = [idsOf('lead'), idsOf('contact')]
  const body = {
    ...(lead_ids.length > 0 && { lead_ids }),
    ...(contact_ids.length > 0 && { contact_ids }),
    ...(senderId && { sender_id: senderId }),
  }
  const params = { path: { cadence_id: cadenceId } }
  const response = await read(
    api.POST('/api/cadences/{cadence_id}/enrollments', { params, headers: withKey(key), body }),
  )
  return response
}

type SegmentOptions = { segmentId: string; mode: 'once' | 'continuous'; senderId: string | undefined }

export const enrollMembers = (cadenceId: string, { segmentId, mode, senderId }: SegmentOptions, key: string) =>
  read(
    api.POST('/api/segments/{segment_id}/enroll', {
      params: { path: { segment_id: segmentId } },
      headers: withKey(key),
      body: { target_type: 'cadence', target_id: cadenceId, mode, ...(senderId && { sender_id: senderId }) },
    }),
  )

type Response = { enrolled: number | null; skipped: unknown; skipped_by_code?: unknown; flow_id?: string | null }

const toCounts = (value: unknown): Record<string, number> =>
  typeof value === 'object' && value !== null ? (value as Record<string, number>) : {}

const toOutcome = (response: Response): EnrollOutcome => ({
  enrolled: response.enrolled,
  skipped: toCounts(response.skipped_by_code ?? response.skipped),
  hasFlow: Boolean(response.flow_id),
})

/** The outcome of an enrollment, which a task brings for many people. Undefined if the task failed or was canceled. */
export async function readOutcome(response: object, label: string): Promise<EnrollOutcome | undefined> {
  if (!isTask(response)) return toOutcome(response as Response)
  const { state, result } = await startTracking(response.task_id, label)
  return state === 'succeeded' && result ? toOutcome(result as Response) : undefined
}

export const isLarge = isTask
