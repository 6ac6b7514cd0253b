import { useMutation } from '@tanstack/react-query'
import {
  Calendar,
  CircleCheck,
  FileText,
  Mail,
  MessageSquare,
  MousePointerClick,
  Phone,
  RefreshCw,
  StickyNote,
} from 'lucide-react'
import { isProblem } from '../../api/problem.ts'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { stateTexts } from '../../texts/en/state-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatDateTime, formatSince } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'
import { ProblemState, Skeleton } from '../states.tsx'
import { useNow } from '../use-now.ts'
import { type Activity, type TimelineRecord, updateActivity, useRefreshRecord, useTimeline } from './activity-api.ts'
import styles from './timeline.module.css'

/** What happened with a record, newest first. */
export function Timeline({ record, locale, canEdit }: { record: TimelineRecord; locale: string; canEdit: boolean }) {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useTimeline(record)
  if (isPending) return <Skeleton rows={4} />
  if (error) return <ProblemState error={error} part={recordTexts.timeline} retry={() => void refetch()} />
  const activities = data.pages.flatMap(({ items }) => items)
  if (activities.length === 0) return <p className={styles.nothing}>{recordTexts.noActivity}</p>
  return (
    <>
      <ol className={styles.timeline}>
        {activities.map((activity) => (
          <TimelineItem key={activity.id} record={record} activity={activity} locale={locale} canEdit={canEdit} />
        ))}
      </ol>
      {hasNextPage && (
        <Button
          variant="quiet"
          className={styles.more}
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {recordTexts.showMore}
        </Button>
      )}
    </>
  )
}

type ItemProps = { record: TimelineRecord; activity: Activity; locale: string; canEdit: boolean }

function TimelineItem({ record, activity, locale, canEdit }: ItemProps) {
  const now = useNow()
  const { type, subject, body, direction, occurred_at: at, actor, due_at: dueAt } = activity
  return (
    <li className={styles.item}>
      <span className={`${styles.dot} ${styles[direction]}`} aria-hidden="true">
        {iconOf(type)}
      </span>
      <div>
        <p className={styles.line}>
          <b>{recordTexts.activityNames[type]}</b> {subject}{' '}
          <span className={styles.when}>
            ·{' '}
            <time dateTime={at} title={formatDateTime(at, locale)}>
              {formatSince(at, now, locale)}
            </time>
            {actor && ` ${recordTexts.by(actor.name)}`}
            {type === 'task' && dueAt && ` · ${recordTexts.due(formatDateTime(dueAt, locale))}`}
          </span>
        </p>
        {body && <blockquote className={styles.body}>{body}</blockquote>}
        {type === 'task' && <TaskState record={record} activity={activity} canEdit={canEdit} />}
      </div>
    </li>
  )
}

function TaskState({ record, activity, canEdit }: Omit<ItemProps, 'locale'>) {
  const refresh = useRefreshRecord(record)
  const isDone = activity.completed_at !== null
  const change = useMutation({
    mutationFn: () => updateActivity(record, activity, { completed_at: isDone ? null : new Date().toISOString() }),
    onSuccess: refresh,
    onError: (error) => showToast(stateTexts.problem(isProblem(error) ? error.code : 'unknown'), { tone: 'failed' }),
  })
  if (!canEdit) return isDone ? <span className={styles.when}>{recordTexts.done}</span> : null
  return (
    <Button size="small" disabled={change.isPending} onClick={() => change.mutate()}>
      {isDone ? recordTexts.reopen : recordTexts.done}
    </Button>
  )
}

function iconOf(type: Activity['type']) {
  if (type === 'note') return <StickyNote size={14} />
  if (type === 'call') return <Phone size={14} />
  if (type.startsWith('email')) return <Mail size={14} />
  if (type === 'task') return <CircleCheck size={14} />
  if (type.startsWith('meeting') || type.startsWith('event')) return <Calendar size={14} />
  if (type === 'message') return <MessageSquare size={14} />
  if (type === 'form_submitted' || type === 'survey_responded') return <FileText size={14} />
  if (type.endsWith('_viewed') || type === 'room_visited' || type === 'product_used')
    return <MousePointerClick size={14} />
  return <RefreshCw size={14} />
}
