import { Muted, OwnerCell, RowCard, SinceCell } from '../../../patterns/list/cells.tsx'
import type { ColumnDefinition } from '../../../patterns/list/list-definition.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { formatDateTime, formatNumber } from '../../../ui/format.ts'
import type { SegmentRow } from '../segment-queries.ts'
import styles from './segments.module.css'

type ColumnKey = keyof typeof texts.list.columns

export const standardColumns: readonly ColumnKey[] = ['name', 'type', 'members', 'state', 'owner', 'changed']

export const segmentColumns: Readonly<Record<ColumnKey, ColumnDefinition<SegmentRow>>> = {
  name: {
    width: 'minmax(180px, 2.4fr)',
    sort: 'name',
    render: ({ name, description }) => (
      <span className={styles.name}>
        <b>{name}</b>
        <span>{description}</span>
      </span>
    ),
  },
  type: {
    width: '104px',
    minListWidth: 520,
    render: ({ object_type: type }) => <Muted>{texts.types[type]}</Muted>,
  },
  members: {
    width: '128px',
    align: 'end',
    render: (segment, { locale }) => <MemberCount segment={segment} locale={locale} />,
  },
  state: {
    width: '172px',
    minListWidth: 640,
    render: (segment) => <StateBadge segment={segment} />,
  },
  owner: { width: 'minmax(120px, 1fr)', minListWidth: 780, render: ({ owner }) => <OwnerCell owner={owner} /> },
  changed: {
    width: '112px',
    minListWidth: 900,
    render: ({ updated_at: at }, options) => <SinceCell at={at} {...options} />,
  },
  created: {
    width: '112px',
    minListWidth: 980,
    render: ({ created_at: at }, options) => <SinceCell at={at} {...options} />,
  },
}

type CellProps = { segment: SegmentRow }

function MemberCount({ segment, locale }: CellProps & { locale: string }) {
  const { member_count: count, member_count_relation: relation, member_count_at: at } = segment
  if (count === null) return <Muted>{texts.notCounted}</Muted>
  return (
    <span className="number" title={at ? texts.countedAt(formatDateTime(at, locale)) : undefined}>
      {`${formatNumber(count, locale)}${relation === 'gte' ? '+' : ''}`}
    </span>
  )
}

const StateBadge = ({ segment: { state, kind } }: CellProps) =>
  state === 'invalid' ? (
    <Badge hue="danger">{texts.states.invalid}</Badge>
  ) : (
    <Badge hue={kind === 'dynamic' ? 'teal' : 'neutral'}>{texts.kinds[kind]}</Badge>
  )

export const SegmentCard = ({ segment, locale }: CellProps & { locale: string }) => (
  <RowCard
    name={segment.name}
    figure={<MemberCount segment={segment} locale={locale} />}
    detail={texts.types[segment.object_type]}
    status={<StateBadge segment={segment} />}
  />
)
