import { Link } from '@tanstack/react-router'
import { CircleAlert, Hourglass, RefreshCw } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { RuleWords } from '../../../patterns/rule-builder/rule-words-view.tsx'
import { ProblemState } from '../../../patterns/states.tsx'
import { useNow } from '../../../patterns/use-now.ts'
import { useMe } from '../../../session/me.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatNumber, formatSince, formatTime } from '../../../ui/format.ts'
import type { ObjectType, SegmentRow } from '../segment-queries.ts'
import styles from './count-panel.module.css'
import { NoMatches } from './no-matches.tsx'
import type { RulePage } from './use-rule-page.ts'

export type CountPanelProps = {
  page: RulePage
  objectType: ObjectType
  sentenceId?: string
  stored?: Pick<SegmentRow, 'member_count' | 'member_count_relation' | 'member_count_at'>
  canPreview: boolean
  showPeople?: () => void
  edited: { draft: { tree: Parameters<typeof NoMatches>[0]['tree'] } }
}

export function CountPanel(props: CountPanelProps) {
  const { page, sentenceId } = props
  const id = useId()
  return (
    <aside className={styles.panel} aria-label={texts.count}>
      <CountSection {...props} />
      {page.sentence.length > 0 && (
        <section className={styles.section} aria-labelledby={id}>
          <h2 id={id}>{texts.inWords}</h2>
          <p id={sentenceId} className={styles.words}>
            <RuleWords words={page.sentence} />
          </p>
        </section>
      )}
      <Samples {...props} />
    </aside>
  )
}

export function CountSection(props: CountPanelProps) {
  const { page, canPreview, objectType, stored, edited } = props
  const { locale } = useMe()
  const { status, counted, changes, error } = page.preview.state
  if (!canPreview)
    return stored?.member_count == null ? null : (
      <div className={styles.count}>
        <BigNumber count={stored.member_count} relation={stored.member_count_relation} objectType={objectType}>
          {stored.member_count_at && texts.countedAt(formatTime(stored.member_count_at, locale))}
        </BigNumber>
      </div>
    )
  if (status === 'failed' && !counted)
    return <ProblemState error={error} part={texts.count} retry={page.preview.countNow} />
  const result = counted?.result
  const isOld = status !== 'done'
  return (
    <div className={styles.count} aria-busy={status === 'counting' && !counted}>
      {result && (
        <BigNumber
          count={result.count}
          relation={result.count_relation}
          objectType={objectType}
          isOld={isOld}
          isTimeLimit={result.warnings.includes('time_limit')}
        >
          {changes > 0 ? (
            texts.beforeChanges(changes)
          ) : (
            <>
              {texts.countedAt(formatTime(new Date(counted.at).toISOString(), locale))}
              <br />
              {texts.countedIn((result.duration_ms / 1_000).toLocaleString(locale, { maximumFractionDigits: 1 }))}
            </>
          )}
        </BigNumber>
      )}
      <p className="visually-hidden" role="status">
        {result &&
          status === 'done' &&
          `${countText(result.count, result.count_relation, locale)} ${texts.nouns[objectType](result.count)}`}
      </p>
      <CountNotice {...props} />
      {result?.count === 0 && status === 'done' && (
        <NoMatches tree={edited.draft.tree} page={page} objectType={objectType} />
      )}
    </div>
  )
}

export const countText = (count: number, relation: 'eq' | 'gte' | null, locale: string): string =>
  `${formatNumber(count, locale)}${relation === 'gte' ? '+' : ''}`

type BigNumberProps = {
  count: number
  relation: 'eq' | 'gte' | null
  objectType: ObjectType
  isOld?: boolean
  isTimeLimit?: boolean
  children: ReactNode
}

function BigNumber({ count, relation, objectType, isOld, isTimeLimit, children }: BigNumberProps) {
  const { locale } = useMe()
  return (
    <p className={`${styles.number} ${isOld ? styles.old : ''}`}>
      <b className="number">{countText(count, relation, locale)}</b>
      <span className={styles.noun}>
        {texts.nouns[objectType](count)}
        {relation === 'gte' && (
          <small>{isTimeLimit ? texts.atLeast : texts.countedTo(formatNumber(count, locale))}</small>
        )}
      </span>
      <small className={styles.when}>{children}</small>
    </p>
  )
}

/** Why there is no number, or why it is not that of the rule, and what to do about it. */
function CountNotice({ page }: CountPanelProps) {
  const { status, counted, pausedUntil } = page.preview.state
  if (status === 'paused' && pausedUntil !== undefined)
    return (
      <Notice
        icon={<Hourglass size={15} />}
        action={
          <Button size="small" variant="primary" icon={<RefreshCw size={13} />} onClick={page.preview.countNow}>
            {texts.countNow}
          </Button>
        }
      >
        <SecondsLeft until={pausedUntil} />
      </Notice>
    )
  if (status === 'failed')
    return (
      <Notice
        icon={<CircleAlert size={15} />}
        action={
          <Button size="small" onClick={page.preview.countNow}>
            {texts.countNow}
          </Button>
        }
      >
        {texts.countFailed}
      </Notice>
    )
  if (status === 'none' || status === 'invalid') {
    const text = page.problems.size > 0 ? texts.fixToCount : texts.completeToCount
    return <Notice icon={<CircleAlert size={15} />}>{text}</Notice>
  }
  if (page.incomplete.size > 0)
    return <Notice icon={<CircleAlert size={15} />}>{texts.withoutIncomplete(page.incomplete.size)}</Notice>
  const isCapped = counted?.result.count_relation === 'gte' && counted.mode === 'capped'
  if (status !== 'done' || !isCapped) return null
  return (
    <Notice
      action={
        <Button size="small" onClick={page.preview.countAll}>
          {texts.countAll}
        </Button>
      }
    >
      {texts.cappedText}
    </Notice>
  )
}

function Notice({ icon, action, children }: { icon?: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.notice} role="status">
      {icon}
      <p>{children}</p>
      {action}
    </div>
  )
}

function SecondsLeft({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return texts.pausedFor(Math.max(0, Math.ceil((until - now) / 1_000)))
}

const pathOf = { lead: '/leads', contact: '/contacts', account: '/accounts' } as const

export const pathOfRecord = (objectType: ObjectType, id: string): string => `${pathOf[objectType]}/${id}`

export function Samples({ page, objectType, showPeople }: CountPanelProps) {
  const id = useId()
  const now = useNow()
  const { locale } = useMe()
  const result = page.preview.state.counted?.result
  if (!result || result.sample.length === 0) return null
  const total = countText(result.count, result.count_relation, locale)
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.title}>
        <h2 id={id}>{texts.newest(result.sample.length, total)}</h2>
        {showPeople && (
          <Button size="small" variant="quiet" onClick={showPeople}>
            {texts.all[objectType]}
          </Button>
        )}
      </div>
      <ul className={styles.samples}>
        {result.sample.map(({ id: recordId, name, email, company, created_at: at }) => (
          <li key={recordId}>
            <Link to={pathOfRecord(objectType, recordId)} className={styles.sample}>
              <Avatar name={name ?? email ?? '?'} isCompany={objectType === 'account'} />
              <b>{name ?? email ?? texts.noName}</b>
              <span className={styles.company}>{objectType === 'account' ? '' : company}</span>
              <time dateTime={at}>{formatSince(at, now, locale)}</time>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
