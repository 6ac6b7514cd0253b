import type { Schemas } from '../../api/client.ts'
import { Muted, SinceCell } from '../../patterns/list/cells.tsx'
import type { ColumnDefinition } from '../../patterns/list/list-definition.ts'
import { suppressionTexts as texts } from '../../texts/en/suppression-texts.ts'
import { Badge, type Hue } from '../../ui/badge.tsx'
import { formatSince } from '../../ui/format.ts'
import styles from './suppressions.module.css'

type Row = Schemas['Suppression']
type ColumnKey = keyof typeof texts.columns

export const standardColumns: readonly ColumnKey[] = ['subject', 'reason', 'channel', 'source', 'at']

const hues: Readonly<Partial<Record<Row['reason'], Hue>>> = { bounced: 'danger', complained: 'danger', listed: 'info' }

const ReasonBadge = ({ reason }: Pick<Row, 'reason'>) => (
  <Badge hue={hues[reason] ?? 'neutral'}>{texts.reasons[reason]}</Badge>
)

export const suppressionColumns: Readonly<Record<ColumnKey, ColumnDefinition<Row>>> = {
  subject: {
    width: 'minmax(180px, 2fr)',
    render: ({ subject }) => <b className={styles.subject}>{subject ?? texts.unknown}</b>,
  },
  channel: {
    width: 'minmax(150px, 1fr)',
    minListWidth: 700,
    render: ({ channel }) => texts.channels[channel],
  },
  reason: { width: 'minmax(250px, 1fr)', minListWidth: 520, render: (row) => <ReasonBadge {...row} /> },
  source: { width: 'minmax(140px, 1.2fr)', minListWidth: 860, render: ({ source }) => <Muted>{source}</Muted> },
  at: {
    width: '112px',
    minListWidth: 600,
    sort: '-at',
    render: ({ at }, options) => <SinceCell at={at} {...options} />,
  },
}

export const SuppressionCard = ({ row, now, locale }: { row: Row; now: number; locale: string }) => (
  <span className={styles.card}>
    <b className={styles.subject}>{row.subject ?? texts.unknown}</b>
    <ReasonBadge {...row} />
    <Muted>{`${texts.channels[row.channel]} · ${formatSince(row.at, now, locale)}`}</Muted>
  </span>
)
