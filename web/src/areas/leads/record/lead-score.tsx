import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PanelSection } from '../../../patterns/record/record-panel.tsx'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { Button } from '../../../ui/button.tsx'
import type { Lead } from '../lead-queries.ts'
import styles from './record.module.css'
import { scoringWeightsQuery } from './record-queries.ts'
import { shareScore } from './share-score.ts'

const shownReasons = 3
const fitGroups = ['person', 'company']
const engagementGroups = ['intent', 'interest']

/** The score as two parts, and the rules that contributed most. */
export function LeadScore({ lead }: { lead: Lead }) {
  const { score, fit_score: fit, engagement_score: engagement } = lead
  const [isAll, setAll] = useState(false)
  const reasons = lead.score_reasons.toSorted((one, other) => Math.abs(other.points) - Math.abs(one.points))
  const weights = useQuery(scoringWeightsQuery).data ?? { fit: 0.5, engagement: 0.5 }
  const parts = shareScore(score, { fit, engagement }, weights)
  return (
    <PanelSection title={texts.scoreTitle}>
      <div className={styles.score}>
        <span className={styles.big}>{score}</span>
        <div className={styles.stack} aria-hidden="true">
          <span className={styles.fit} style={{ width: `${parts.fit}%` }} />
          <span className={styles.engagement} style={{ width: `${parts.engagement}%` }} />
          {parts.other > 0 && <span className={styles.other} style={{ width: `${parts.other}%` }} />}
        </div>
        <div className={styles.legend}>
          <span title={texts.outOf(texts.fit, fit)}>
            <i className={styles.fit} />
            {texts.fit} <b>{parts.fit}</b>
          </span>
          <span title={texts.outOf(texts.engagement, engagement)}>
            <i className={styles.engagement} />
            {texts.engagement} <b>{parts.engagement}</b>
          </span>
          {parts.other !== 0 && (
            <span>
              {parts.other > 0 && <i className={styles.other} />}
              {texts.otherPoints} <b>{formatPoints(parts.other)}</b>
            </span>
          )}
        </div>
      </div>
      {reasons.length === 0 && <p className={styles.role}>{texts.noReasons}</p>}
      <ul className={styles.reasons}>
        {reasons.slice(0, isAll ? undefined : shownReasons).map(({ rule_key, label, group, points, count }) => (
          <li key={rule_key}>
            <span className={`${styles.points} ${points < 0 ? styles.minus : ''}`}>{formatPoints(points)}</span>
            <span>
              {label}
              {count > 1 && texts.times(count)}
            </span>
            <span>{labelOfGroup(group)}</span>
          </li>
        ))}
      </ul>
      {reasons.length > shownReasons && (
        <Button
          variant="quiet"
          size="small"
          className={styles.more}
          aria-expanded={isAll}
          onClick={() => setAll(!isAll)}
        >
          {isAll ? texts.showFewerReasons : texts.showAllReasons(reasons.length)}
        </Button>
      )}
    </PanelSection>
  )
}

const formatPoints = (points: number): string => `${points < 0 ? '−' : '+'}${Math.round(Math.abs(points))}`

/** Workspaces can name further groups, which belong to neither part. */
function labelOfGroup(group: string): string {
  if (fitGroups.includes(group)) return texts.fit
  return engagementGroups.includes(group) ? texts.engagement : ''
}
