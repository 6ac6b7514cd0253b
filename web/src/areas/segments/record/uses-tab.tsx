import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read, type Schemas } from '../../../api/client.ts'
import { queryClient } from '../../../api/queries.ts'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useNow } from '../../../patterns/use-now.ts'
import { useMe } from '../../../session/me.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatAgo, formatNumber } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toast.tsx'
import { refreshMembers, type Segment } from '../segment-queries.ts'
import { mayDeleteSegment } from '../segment-rights.ts'
import styles from './segment.module.css'

export function UsesTab({ segment }: { segment: Segment }) {
  const segments = segment.used_by.filter(({ type }) => type === 'segment')
  const references = segment.references.filter(({ kind }) => kind !== 'field')
  return (
    <div className={styles.scroll}>
      <div className={styles.sheet}>
        <section className={styles.card}>
          <h2>{texts.flows.title}</h2>
          <Flows segment={segment} />
        </section>
        <section className={styles.card}>
          <h2>{texts.usingSegments}</h2>
          {segments.length === 0 ? (
            <p className={styles.muted}>{texts.noSegments}</p>
          ) : (
            <ul className={styles.rows}>
              {segments.map(({ id, name }) => (
                <li key={id}>
                  <span className={styles.rowName}>
                    <Link to={`/segments/${id}` as '/'}>{name}</Link>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </section>
        {references.length > 0 && (
          <section className={styles.card}>
            <h2>{texts.refersTo}</h2>
            <ul className={styles.rows}>
              {references.map(({ kind, ref, name }) => (
                <li key={ref}>
                  <span className={styles.rowName}>
                    {kind === 'campaign' || kind === 'segment' ? (
                      <Link to={`/${kind}s/${ref}` as '/'}>{name ?? texts.deletedRecord}</Link>
                    ) : (
                      (name ?? texts.deletedRecord)
                    )}
                    <small>{texts.targetTypes[kind] ?? kind}</small>
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  )
}

type Flow = Schemas['SegmentFlow']

function Flows({ segment }: { segment: Segment }) {
  const { id } = segment
  const { data, error, refetch } = useQuery({
    queryKey: areaKeys.segments.flows(id),
    queryFn: async ({ signal }) => {
      const params = { path: { segment_id: id }, query: { limit: 200, count: 'none' as const } }
      return (await read(api.GET('/api/segments/{segment_id}/flows', { params, signal }))).items
    },
  })
  if (error) return <ProblemState error={error} part={texts.flows.title} retry={() => void refetch()} />
  if (!data) return <Skeleton rows={2} />
  if (data.length === 0) return <p className={styles.muted}>{texts.flows.none}</p>
  const active = data.filter(({ is_active }) => is_active)
  return (
    <ul className={styles.rows}>
      {[...active, ...data.filter((flow) => !active.includes(flow))].map((flow) => (
        <FlowRow key={flow.id} flow={flow} segment={segment} />
      ))}
    </ul>
  )
}

function FlowRow({ flow, segment }: { flow: Flow; segment: Segment }) {
  const me = useMe()
  const now = useNow()
  const stop = useMutation({
    mutationFn: () =>
      read(
        api.DELETE('/api/segments/{segment_id}/flows/{flow_id}', {
          params: { path: { segment_id: segment.id, flow_id: flow.id } },
        }),
      ),
    onSuccess: () => showToast(texts.flows.stopped),
    onError: (error) => showRepeatableProblem(error, () => stop.mutate()),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: areaKeys.segments.flows(segment.id) })
      await refreshMembers(segment.id)
    },
  })
  const mayStop = mayDeleteSegment(me, segment) || flow.created_by === me.id
  const { target_type: type, target_id: targetId, is_active: isActive, last_error: error } = flow
  const facts = [
    texts.targetTypes[type] ?? type,
    isActive ? texts.flows.active : texts.flows.ended,
    texts.flows.added(flow.enrolled_count, formatNumber(flow.enrolled_count, me.locale)),
    flow.last_run_at && texts.flows.lastRun(formatAgo(flow.last_run_at, now, me.locale)),
  ]
  return (
    <li>
      <span className={styles.rowName}>
        <Link to={`/${type}s/${targetId}` as '/'}>{flow.target?.name ?? texts.deletedRecord}</Link>
        <small>{facts.filter(Boolean).join(' · ')}</small>
        {error && <small className={styles.failed}>{error}</small>}
      </span>
      {isActive && mayStop && (
        <Button size="small" disabled={stop.isPending} onClick={() => stop.mutate()}>
          {texts.flows.stop}
        </Button>
      )}
    </li>
  )
}
