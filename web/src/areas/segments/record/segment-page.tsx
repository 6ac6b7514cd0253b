import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { isProblem } from '../../../api/problem.ts'
import { NoPermissionPage, NotFoundState, ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { can, useMe } from '../../../session/me.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { segmentQuery } from '../segment-queries.ts'
import { DynamicSegment } from './dynamic-segment.tsx'
import { StaticSegment } from './static-segment.tsx'

export function SegmentPage() {
  const me = useMe()
  return can(me, 'segments.read') ? <OpenSegment /> : <NoPermissionPage area={texts.area} scope="segments.read" />
}

function OpenSegment() {
  const { segmentId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(segmentQuery(segmentId))
  if (data?.kind === 'dynamic') return <DynamicSegment key={data.id} segment={data} />
  if (data) return <StaticSegment key={data.id} segment={data} />
  return (
    <>
      <h1 className="visually-hidden">{texts.segment}</h1>
      {isProblem(error, 'not_found') ? (
        <NotFoundState title={texts.notFound} text={texts.notFoundText} />
      ) : error ? (
        <ProblemState error={error} part={texts.segment} retry={() => void refetch()} />
      ) : (
        <Skeleton rows={8} />
      )}
    </>
  )
}
