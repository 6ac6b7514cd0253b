import { Link } from '@tanstack/react-router'
import { AlarmClock, Check, CircleCheck, Mail, MoreHorizontal, Pencil, Phone } from 'lucide-react'
import { useMe } from '../../session/me.ts'
import { openTaskTexts as texts } from '../../texts/en/open-task-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatDate, formatDateTime, formatDuration, formatTime } from '../../ui/format.ts'
import { MenuButton } from '../../ui/menu.tsx'
import type { MenuItem } from '../../ui/menu-model.ts'
import { nextWeek, tomorrow } from './due-times.ts'
import { groupOf, type TaskRow } from './join-tasks.ts'
import { type permissionsOf, titleOf } from './task-actions.ts'
import styles from './tasks.module.css'

export type TaskActions = {
  done: (row: TaskRow) => void
  doneWith: (row: TaskRow) => void
  skip: (row: TaskRow) => void
  chooseTime: (row: TaskRow) => void
  postponeTo: (row: TaskRow, dueAt: string) => void
}

type RowProps = {
  row: TaskRow
  now: number
  permissions: ReturnType<typeof permissionsOf>
  actions: TaskActions
}

const minuteMs = 60_000

const icons = { task: <CircleCheck size={16} />, call: <Phone size={16} />, email_manual: <Mail size={16} /> }
const paths = { lead: '/leads', contact: '/contacts', account: '/accounts', opportunity: '/deals' } as const

export function TaskListRow({ row, now, permissions, actions }: RowProps) {
  const { kind, record, cadence, activity } = row
  const isLate = groupOf(row, now) === 'late'
  const title = titleOf(row)
  const recordName = record.name ?? texts.noName
  // The tasks of a cadence have the same title for all its people.
  const label = cadence ? `${title}, ${recordName}` : title
  const items = menuOf(row, now, permissions, actions)
  const note = activity?.body ?? cadence?.instructions
  return (
    <li className={styles.row}>
      <span className={`${styles.icon} ${isLate ? styles.iconLate : ''}`} aria-hidden="true">
        {icons[kind]}
      </span>
      <div className={styles.text}>
        <Link to={`${paths[record.type]}/${record.id}` as string} className={styles.title} data-task={row.id}>
          {title}
        </Link>
        <p className={styles.detail}>
          {[
            `${texts.records[record.type]} ${recordName}`,
            cadence && texts.ofCadence(cadence.cadence.name, cadence.step.position),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {note && <p className={styles.note}>{note}</p>}
      </div>
      <DueTime row={row} now={now} isLate={isLate} />
      <div className={styles.actions}>
        {permissions.complete && <DoneButton {...{ row, label, recordName }} done={() => actions.done(row)} />}
        {items.length > 0 && (
          <MenuButton label={texts.more(label)} icon={<MoreHorizontal size={16} />} size="small" items={items} />
        )}
      </div>
    </li>
  )
}

/** A call is logged and an email is written before the task is done. */
function DoneButton({
  row: { kind, cadence },
  label,
  recordName,
  done,
}: {
  row: TaskRow
  label: string
  recordName: string
  done: () => void
}) {
  if (cadence && kind === 'email_manual')
    return (
      <Button size="small" icon={<Pencil size={14} />} aria-label={texts.writeEmail(recordName)} onClick={done}>
        {texts.write}
      </Button>
    )
  if (cadence && kind === 'call')
    return (
      <Button size="small" icon={<Phone size={14} />} aria-label={texts.logCall(recordName)} onClick={done}>
        {texts.log}
      </Button>
    )
  return (
    <Button size="small" icon={<Check size={14} />} aria-label={texts.doneTask(label)} onClick={done}>
      {texts.done}
    </Button>
  )
}

function menuOf(
  row: TaskRow,
  now: number,
  permissions: ReturnType<typeof permissionsOf>,
  { doneWith, skip, chooseTime, postponeTo }: TaskActions,
): MenuItem[] {
  const items: MenuItem[] = []
  if (permissions.complete && !row.cadence) items.push({ label: texts.doneWith, run: () => doneWith(row) })
  if (permissions.postpone)
    items.push(
      { label: texts.tomorrow, keys: 's', run: () => postponeTo(row, tomorrow(now)) },
      { label: texts.nextWeek, run: () => postponeTo(row, nextWeek(now)) },
      { label: texts.otherTime, keys: 'Shift+s', run: () => chooseTime(row) },
    )
  if (permissions.skip) items.push({ kind: 'line' }, { label: texts.skip, keys: 'u', run: () => skip(row) })
  return items
}

/** The time of a day that is near, otherwise the day, and for a late task how late it is. */
function DueTime({ row, now, isLate }: { row: TaskRow; now: number; isLate: boolean }) {
  const { locale } = useMe()
  const { dueAt, cadence } = row
  if (dueAt === null) return <span />
  const group = groupOf(row, now)
  const skippedAt = cadence?.skipped_at
  return (
    <time
      dateTime={dueAt}
      className={`${styles.due} ${isLate ? styles.dueLate : ''}`}
      title={[formatDateTime(dueAt, locale), skippedAt && texts.skippedAt(formatDateTime(skippedAt, locale))]
        .filter(Boolean)
        .join(' · ')}
    >
      {isLate && <AlarmClock size={14} aria-hidden="true" />}
      {isLate
        ? texts.lateBy(formatDuration(Math.max(minuteMs, now - Date.parse(dueAt))))
        : group === 'later'
          ? formatDate(dueAt, locale)
          : formatTime(dueAt, locale)}
    </time>
  )
}
