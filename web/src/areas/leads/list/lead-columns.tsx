import { Muted, NameCell, OwnerCell, SinceCell } from '../../../patterns/list/cells.tsx'
import type { ColumnDefinition } from '../../../patterns/list/list-definition.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Badge, Grade, ScoreBar } from '../../../ui/badge.tsx'
import { nameOfLead } from '../lead-names.ts'
import type { LeadRow } from '../lead-queries.ts'
import { hueOfStatus } from '../lead-status.ts'
import { ResponseClock } from '../response-clock.tsx'
import styles from './list.module.css'

type ColumnKey = keyof typeof leadTexts.columns

export const standardColumns: readonly ColumnKey[] = ['name', 'status', 'score', 'response', 'activity']

export const leadColumns: Readonly<Record<ColumnKey, ColumnDefinition<LeadRow>>> = {
  name: {
    width: 'minmax(150px, 2.6fr)',
    sort: 'name',
    render: (lead) => <NameCell name={nameOfLead(lead)} detail={lead.company} />,
  },
  status: {
    width: 'minmax(136px, 0.8fr)',
    render: ({ status }) => <Badge hue={hueOfStatus[status]}>{leadTexts.statuses[status]}</Badge>,
  },
  score: {
    width: '124px',
    minListWidth: 460,
    sort: '-score',
    render: ({ score, grade }) => (
      <span className={styles.score}>
        <Grade grade={grade} />
        <span className={styles.points}>{score}</span>
        <ScoreBar score={score} grade={grade} />
      </span>
    ),
  },
  response: {
    width: 'minmax(146px, 0.8fr)',
    minListWidth: 590,
    sort: 'sla_due_at',
    render: (lead, { now }) => <ResponseClock lead={lead} now={now} />,
  },
  activity: {
    width: '112px',
    minListWidth: 700,
    sort: '-last_activity_at',
    render: ({ last_activity_at: at }, options) => <SinceCell at={at} {...options} />,
  },
  owner: {
    width: 'minmax(120px, 1fr)',
    minListWidth: 820,
    render: ({ owner }) => <OwnerCell owner={owner} />,
  },
  source: {
    width: 'minmax(110px, 0.8fr)',
    minListWidth: 940,
    labels: 'source',
    render: ({ source }, { labelOf }) => <Muted>{labelOf('source', source)}</Muted>,
  },
  stage: {
    width: 'minmax(120px, 0.8fr)',
    minListWidth: 940,
    render: ({ lifecycle_stage: stage }) => <Muted>{leadTexts.stages[stage]}</Muted>,
  },
  email: {
    width: 'minmax(160px, 1.4fr)',
    minListWidth: 940,
    render: ({ email }) => <Muted>{email}</Muted>,
  },
  phone: {
    width: 'minmax(120px, 1fr)',
    minListWidth: 940,
    render: ({ phone }) => <Muted className="number">{phone}</Muted>,
  },
  tags: {
    width: 'minmax(120px, 1fr)',
    minListWidth: 940,
    render: ({ tags }) => <Muted>{tags.join(', ')}</Muted>,
  },
  created: {
    width: '112px',
    minListWidth: 940,
    sort: '-created_at',
    render: ({ created_at: at }, options) => <SinceCell at={at} {...options} />,
  },
}
