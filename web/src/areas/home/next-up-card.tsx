import { Link } from '@tanstack/react-router'
import { AlarmClock, Check, ChevronRight, CircleCheck, Phone, Timer } from 'lucide-react'
import { State } from '../../patterns/states.tsx'
import { mayChangeTask } from '../../patterns/tasks/change-task.ts'
import { useNow } from '../../patterns/use-now.ts'
import { can, type Me, useMe } from '../../session/me.ts'
import { homeTexts } from '../../texts/en/home-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatDateTime, formatDuration, formatTime } from '../../ui/format.ts'
import { currentTimeZone } from '../../ui/time-zone.ts'
import styles from './home.module.css'
import { type HomeTask, useCompleteTask } from './home-queries.ts'
import { callSearch, daysUntil, type NextUpItem, pathOf, type Urgency, urgencyOf } from './next-up.ts'

export const NextUpCard = ({ items, dueToday }: { items: readonly NextUpItem[]; dueToday: number }) => (
  <section className={styles.card} aria-labelledby="next-up">
    <header>
      <h2 id="next-up">{homeTexts.nextUp}</h2>
      {dueToday > 0 && <span className={styles.note}>{homeTexts.dueToday(dueToday)}</span>}
      {items.some(({ kind }) => kind === 'task') && (
        <Link to="/tasks" className={styles.more}>
          {homeTexts.allTasks}
          <ChevronRight size={14} />
        </Link>
      )}
      {items.some(({ kind }) => kind === 'lead') && (
        <Link to="/leads" search={{ owner: 'me', response: 'awaiting' }} className={styles.more}>
          {homeTexts.waitingLeads}
          <ChevronRight size={14} />
        </Link>
      )}
    </header>
    {items.length === 0 ? (
      <State icon={<Check size={20} />} hue="success" title={homeTexts.nothingDue}>
        {homeTexts.nothingDueText}
      </State>
    ) : (
      <ul className={styles.list}>
        {items.map((item) => (
          <NextUpRow key={item.id} item={item} />
        ))}
      </ul>
    )}
  </section>
)

function NextUpRow({ item }: { item: NextUpItem }) {
  const me = useMe()
  const now = useNow()
  const urgency = urgencyOf(item, now)
  return (
    <li className={styles.next}>
      <span className={`${styles.what} ${styles[urgency]}`} aria-hidden="true">
        {iconOf(item, urgency)}
      </span>
      <span className={styles.grow}>
        <Link to={pathOf(item)} className={styles.name}>
          {titleOf(item)}
        </Link>
        <span className={styles.detail}>{detailOf(item)}</span>
      </span>
      <DueTime item={item} urgency={urgency} now={now} />
      {item.kind === 'task' ? (
        <DoneButton task={item.task} me={me} />
      ) : (
        can(me, 'leads.write') && (
          <Link
            to="/leads"
            search={callSearch(item.lead.id)}
            className={styles.action}
            aria-label={homeTexts.callPerson(titleOf(item))}
          >
            <Phone size={14} />
            {homeTexts.call}
          </Link>
        )
      )}
    </li>
  )
}

const titleOf = (item: NextUpItem): string =>
  item.kind === 'lead'
    ? (item.lead.name ?? item.lead.email ?? item.lead.company ?? '')
    : (item.task.subject ?? homeTexts.noSubject)

const detailOf = (item: NextUpItem): string => {
  if (item.kind === 'task') return item.task.record.name
  const { title, company, score } = item.lead
  return [[title, company].filter(Boolean).join(', '), homeTexts.score(score)].filter(Boolean).join(' · ')
}

function iconOf({ kind }: NextUpItem, urgency: Urgency) {
  if (kind === 'task') return <CircleCheck size={16} />
  return urgency === 'late' ? <AlarmClock size={16} /> : <Timer size={16} />
}

/** A clock for what is late or urgent, otherwise the time or the day. */
function DueTime({ item: { kind, dueAt }, urgency, now }: { item: NextUpItem; urgency: Urgency; now: number }) {
  const { locale } = useMe()
  if (dueAt === null) return <span className={styles.due}>{homeTexts.noDate}</span>
  const left = Date.parse(dueAt) - now
  const isClock = urgency === 'late' || (kind === 'lead' && urgency !== 'later')
  return (
    <time
      dateTime={dueAt}
      title={formatDateTime(dueAt, locale)}
      className={`${styles.due} ${isClock ? styles[`${urgency}Clock`] : ''}`}
    >
      {urgency === 'late' && <AlarmClock size={14} />}
      {isClock && urgency !== 'late' && <Timer size={14} />}
      {urgency === 'late'
        ? homeTexts.overdue(formatDuration(-left))
        : isClock
          ? homeTexts.left(formatDuration(left))
          : formatDay(dueAt, now, locale)}
    </time>
  )
}

function formatDay(at: string, now: number, locale: string): string {
  const days = daysUntil(at, now)
  if (days === 0) return homeTexts.today(formatTime(at, locale))
  if (days === 1) return homeTexts.tomorrow
  const style = days < 7 ? { weekday: 'long' as const } : { day: 'numeric' as const, month: 'short' as const }
  return new Intl.DateTimeFormat(locale, { ...style, timeZone: currentTimeZone() }).format(new Date(at))
}

function DoneButton({ task, me }: { task: HomeTask; me: Me }) {
  const complete = useCompleteTask()
  if (!mayChangeTask(me, task)) return null
  return (
    <Button
      size="small"
      className={styles.button}
      icon={<Check size={14} />}
      aria-label={homeTexts.completeTask(task.subject ?? homeTexts.noSubject)}
      onClick={() => complete.mutate(task)}
    >
      {homeTexts.done}
    </Button>
  )
}
