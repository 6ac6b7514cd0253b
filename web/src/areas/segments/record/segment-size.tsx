import { useQuery } from '@tanstack/react-query'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import { useMe } from '../../../session/me.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import type { ObjectType, Segment } from '../segment-queries.ts'
import { countText } from './count-panel.tsx'
import styles from './segment.module.css'

export type Size = { count: number; relation: 'eq' | 'gte' }

export const useSize = ({ id, version }: Segment) =>
  useQuery({
    queryKey: areaKeys.segments.size(id, version),
    queryFn: async ({ signal }): Promise<Size> => {
      const params = { path: { segment_id: id }, query: { limit: 1, count: 'exact' as const } }
      const { total, total_relation } = await read(api.GET('/api/segments/{segment_id}/members', { params, signal }))
      return { count: total ?? 0, relation: total_relation ?? 'eq' }
    },
    staleTime: 0,
    gcTime: 0,
  })

export function SizeText({ size, objectType }: { size: Size | undefined; objectType: ObjectType }) {
  const { locale } = useMe()
  if (!size) return <p>{texts.sizeUnknown}</p>
  return (
    <p>
      {texts.sizeBefore}
      <b className={`number ${styles.figure}`}>{countText(size.count, size.relation, locale)}</b>{' '}
      {texts.nouns[objectType](size.count)}
      {texts.sizeAfter}
    </p>
  )
}
