import { areaKeys } from '../../../api/area-keys.ts'
import { api, read, type Schemas } from '../../../api/client.ts'
import type { PageRequest } from '../../../api/pages.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { recordChoices } from '../../../patterns/rule-builder/choice-sources.ts'
import type { ChoiceSource } from '../../../patterns/rule-builder/picker.tsx'
import type { ObjectType, Segment } from '../segment-queries.ts'

export type Member = Schemas['SegmentMember']

export const membersKey = ({ id, version }: Pick<Segment, 'id' | 'version'>) => [
  ...areaKeys.segments.members(id),
  version,
]

export const loadMembersPage = (id: string) => (request: PageRequest, signal: AbortSignal) =>
  read(
    api.GET('/api/segments/{segment_id}/members', {
      params: { path: { segment_id: id }, query: request },
      signal,
    }),
  )

export const changeMembers = (id: string, changes: { add?: string[]; remove?: string[] }) =>
  read(api.POST('/api/segments/{segment_id}/members', { params: { path: { segment_id: id } }, body: changes }))

const page = { limit: 20, count: 'none' as const, fields: 'summary' as const }

type Found = { id: string; name: string | null; email: string | null }

const toChoices = (records: readonly Found[]): Choice[] =>
  records.map(({ id, name, email }) => ({ id, name: name ?? email ?? id, detail: name ? email : null }))

export function memberChoices(objectType: ObjectType): ChoiceSource {
  if (objectType === 'account') return recordChoices('account', objectType)
  return {
    queryKey: (text) => areaKeys.recordChoices(objectType, text),
    async find(text, signal) {
      const query = { search: text || undefined, ...page }
      if (objectType === 'lead')
        return toChoices((await read(api.GET('/api/leads/', { params: { query }, signal }))).items)
      return toChoices(await read(api.GET('/api/contacts/', { params: { query }, signal })))
    },
  }
}
