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
import { recordTexts } from '../../texts/en/record-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatAgo, formatDateTime } from '../../ui/format.ts'
import { showRepeatableProblem } from '../show-problem.ts'
import { ProblemState, Skeleton } from '../states.tsx'
import { useNow } from '../use-now.ts'
import { type Activity, type TimelineRecord, updateActivity, useRefreshRecord, useTimeline } from './activity-api.ts'
import styles from './timeline.module.css'

type TimelineProps = {
  record: TimelineRecord
  locale: string
  canEdit: boolean
  /** The values of a change, such as the status before and after, in the words of the record. */
  describe?: (activity: Activity) => string | undefined
}

/** The history of a record, newest first. */
export function Timeline({ record, locale, canEdit, describe }: TimelineProps) {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useTimeline(record)
  if (isPending) return <Skeleton rows={4} />
  if (error) return <ProblemState error={error} part={recordTexts.timeline} retry={() => void refetch()} />
  const activities = data.pages.flatMap(({ items }) => items)
  if (activities.length === 0) return <p className={styles.empty}>{recordTexts.noActivity}</p>
  return (
    <>
      <ol className={styles.timeline}>
        {activities.map((activity) => (
          <TimelineItem key={activity.id} {...{ record, activity, locale, canEdit, describe }} />
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

type ItemProps = TimelineProps & { activity: Activity }

function TimelineItem({ record, activity, locale, canEdit, describe }: ItemProps) {
  const now = useNow()
  const { type, subject, body, direction, outcome, occurred_at: at, actor, due_at: dueAt } = activity
  const name = recordTexts.activityNames[type]
  const details = [outcome && labelOfOutcome(outcome), subject ?? describe?.(activity)].filter(Boolean).join(': ')
  return (
    <li className={styles.item}>
      <span className={`${styles.dot} ${styles[direction]}`} aria-hidden="true">
        {iconOf(type)}
      </span>
      <div>
        <p className={styles.line}>
          {details.startsWith(name) ? (
            <b>{details}</b>
          ) : (
            <>
              <b>{name}</b> {details}
            </>
          )}{' '}
          <span className={styles.when}>
            ·{' '}
            <time dateTime={at} title={formatDateTime(at, locale)}>
              {formatAgo(at, now, locale)}
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

const labelOfOutcome = (outcome: string): string =>
  (recordTexts.composer.outcomes as Readonly<Record<string, string>>)[outcome] ?? ''

function TaskState({ record, activity, canEdit }: Omit<ItemProps, 'locale'>) {
  const refresh = useRefreshRecord(record)
  const isDone = activity.completed_at !== null
  const change = useMutation({
    mutationFn: () => updateActivity(record, activity, { completed_at: isDone ? null : new Date().toISOString() }),
    onSuccess: refresh,
    onError: (error) => showRepeatableProblem(error, () => change.mutate()),
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
