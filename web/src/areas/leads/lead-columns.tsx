import type { Column } from '../../patterns/grid/data-grid.tsx'
import { leadTexts } from '../../texts/en/lead-texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge, Grade, ScoreBar } from '../../ui/badge.tsx'
import { formatSince } from '../../ui/format.ts'
import type { LeadRow } from './lead-queries.ts'
import { hueOfStatus } from './lead-status.ts'
import styles from './leads.module.css'
import { ResponseClock } from './response-clock.tsx'

export const nameOfLead = ({ name, email }: Pick<LeadRow, 'name' | 'email'>): string =>
  name ?? email ?? leadTexts.noName

export const leadColumns = (now: number, locale: string): Column<LeadRow>[] => [
  {
    key: 'name',
    label: leadTexts.columns.name,
    width: 'minmax(220px, 2.4fr)',
    render: (lead) => (
      <span className={styles.name}>
        <Avatar name={nameOfLead(lead)} />
        <b>{nameOfLead(lead)}</b>
        <span>{lead.company}</span>
      </span>
    ),
  },
  {
    key: 'status',
    label: leadTexts.columns.status,
    width: 'minmax(116px, 1fr)',
    render: ({ status }) => <Badge hue={hueOfStatus[status]}>{leadTexts.statuses[status]}</Badge>,
  },
  {
    key: 'score',
    label: leadTexts.columns.score,
    width: '124px',
    render: ({ score, grade }) => (
      <span className={styles.score}>
        {grade && <Grade grade={grade} />}
        {score}
        {grade && <ScoreBar score={score} grade={grade} />}
      </span>
    ),
  },
  {
    key: 'response',
    label: leadTexts.columns.response,
    width: 'minmax(116px, 1fr)',
    render: (lead) => <ResponseClock lead={lead} now={now} />,
  },
  {
    key: 'activity',
    label: leadTexts.columns.activity,
    width: '110px',
    render: ({ last_activity_at: at }) => (at ? formatSince(at, now, locale) : ''),
  },
]
