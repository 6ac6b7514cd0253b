import type { ReactNode } from 'react'
import type { Column } from '../../../patterns/grid/grid-model.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge, Grade, ScoreBar } from '../../../ui/badge.tsx'
import { formatSince } from '../../../ui/format.ts'
import { nameOfLead } from '../lead-names.ts'
import type { LeadRow } from '../lead-queries.ts'
import type { LeadSort } from '../lead-search.ts'
import { hueOfStatus } from '../lead-status.ts'
import { ResponseClock } from '../response-clock.tsx'
import styles from './list.module.css'

export type ColumnKey = keyof typeof leadTexts.columns
export const allColumns = Object.keys(leadTexts.columns) as ColumnKey[]
export const standardColumns: readonly ColumnKey[] = ['name', 'status', 'score', 'response', 'activity']

/** The columns of the URL, in the order of the list. The name is always shown. */
export function parseColumns(text: string | undefined): readonly ColumnKey[] {
  if (!text) return standardColumns
  const keys = text.split(',')
  return allColumns.filter((key) => key === 'name' || keys.includes(key))
}

type ColumnOptions = {
  keys: readonly ColumnKey[]
  now: number
  locale: string
  sort: LeadSort
  setSort: (sort: LeadSort) => void
  sourceLabel: (key: string) => string
}

type Definition = {
  width: string
  minListWidth?: number
  /** The order of the first click; the second one reverses it, the third one returns to the queue. */
  sort?: LeadSort
  render: (lead: LeadRow, options: ColumnOptions) => ReactNode
}

const since = (at: string | null, { now, locale }: ColumnOptions) => (
  <span className={styles.muted}>{at ? formatSince(at, now, locale) : ''}</span>
)

const definitions: Readonly<Record<ColumnKey, Definition>> = {
  name: {
    width: 'minmax(150px, 2.6fr)',
    sort: 'name',
    render: (lead) => (
      <span className={styles.name}>
        <Avatar name={nameOfLead(lead)} />
        <b>{nameOfLead(lead)}</b>
        <span>{lead.company}</span>
      </span>
    ),
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
    render: ({ last_activity_at: at }, options) => since(at, options),
  },
  owner: {
    width: 'minmax(120px, 1fr)',
    minListWidth: 820,
    render: ({ owner }) => (
      <span className={styles.owner}>
        {owner ? (
          <>
            <Avatar name={owner.name} />
            <span>{owner.name}</span>
          </>
        ) : (
          <span className={styles.muted}>{leadTexts.noOwner}</span>
        )}
      </span>
    ),
  },
  source: {
    width: 'minmax(110px, 0.8fr)',
    minListWidth: 940,
    render: ({ source }, { sourceLabel }) => <span className={styles.muted}>{sourceLabel(source)}</span>,
  },
  stage: {
    width: 'minmax(120px, 0.8fr)',
    minListWidth: 940,
    render: ({ lifecycle_stage: stage }) => <span className={styles.muted}>{leadTexts.stages[stage]}</span>,
  },
  email: {
    width: 'minmax(160px, 1.4fr)',
    minListWidth: 940,
    render: ({ email }) => <span className={styles.muted}>{email}</span>,
  },
  phone: {
    width: 'minmax(120px, 1fr)',
    minListWidth: 940,
    render: ({ phone }) => <span className={`number ${styles.muted}`}>{phone}</span>,
  },
  tags: {
    width: 'minmax(120px, 1fr)',
    minListWidth: 940,
    render: ({ tags }) => <span className={styles.muted}>{tags.join(', ')}</span>,
  },
  created: {
    width: '112px',
    minListWidth: 940,
    sort: '-created_at',
    render: ({ created_at: at }, options) => since(at, options),
  },
}

export const leadColumns = (options: ColumnOptions): Column<LeadRow>[] =>
  options.keys.map((key) => {
    const { width, minListWidth, sort, render } = definitions[key]
    return {
      key,
      label: leadTexts.columns[key],
      width,
      minListWidth,
      sort: sort && toColumnSort(sort, options),
      render: (lead) => render(lead, options),
    }
  })

const reverse = (sort: LeadSort): LeadSort => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`) as LeadSort

function toColumnSort(first: LeadSort, { sort, setSort }: ColumnOptions): Column<LeadRow>['sort'] {
  const isSorted = sort === first || sort === reverse(first)
  const next = sort === first ? reverse(first) : sort === reverse(first) ? 'queue' : first
  return { direction: isSorted ? (sort.startsWith('-') ? 'desc' : 'asc') : null, toggle: () => setSort(next) }
}
