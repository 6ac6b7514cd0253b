import { areaKeys } from '../../api/area-keys.ts'
import { api, read, type Schemas, withKey } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { suppressionTexts as texts } from '../../texts/en/suppression-texts.ts'
import { formatNumber } from '../../ui/format.ts'

type Added = Pick<Schemas['AddedSuppressions'], 'added' | 'unchanged'> & { invalid?: number }

export const addAddresses = (body: { emails: string[]; source?: string }, key: string) =>
  read(api.POST('/api/leads/suppressions', { headers: withKey(key), body }))

export const uploadFile = (body: { csv: string; source?: string }, key: string) =>
  read(api.POST('/api/leads/suppressions/upload', { headers: withKey(key), body }))

export const removeSuppression = (id: string) =>
  read(api.DELETE('/api/leads/suppressions/{suppression_id}', { params: { path: { suppression_id: id } } }))

export const refreshSuppressions = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: areaKeys.suppressions.all })

/** Counts the addresses that are new, were there before, or could not be read. */
export function describeAdded({ added, unchanged, invalid = 0 }: Added, locale: string): string {
  const format = (count: number) => formatNumber(count, locale)
  return [
    texts.added(added, format(added)),
    unchanged > 0 && texts.unchanged(unchanged, format(unchanged)),
    invalid > 0 && texts.invalid(invalid, format(invalid)),
  ]
    .filter(Boolean)
    .join(' ')
}
