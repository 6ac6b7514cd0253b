import type { Schemas } from '../../../api/client.ts'
import { formatShare } from '../../../patterns/amounts.ts'
import { Muted, OwnerCell, RowCard, SinceCell } from '../../../patterns/list/cells.tsx'
import type { ColumnDefinition } from '../../../patterns/list/list-definition.ts'
import { cadenceListTexts as texts } from '../../../texts/en/cadence-list-texts.ts'
import { cadenceTexts } from '../../../texts/en/cadence-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { StatusBadge } from '../status-badge.tsx'
import styles from './list.module.css'

type Row = Schemas['ListedCadence']
type ColumnKey = keyof typeof texts.columns

export const standardColumns: readonly ColumnKey[] = [
  'name',
  'status',
  'people',
  'enrolled',
  'sent',
  'replied',
  'bounced',
  'optedOut',
  'owner',
]

const unknown = '–'

const share = (rate: number | null | undefined, locale: string): string =>
  rate === null || rate === undefined ? unknown : formatShare(rate, locale)

type TextOf = (row: Row, locale: string) => string

const figure = (minListWidth: number, textOf: TextOf, width = '104px'): ColumnDefinition<Row> => ({
  width,
  align: 'end',
  minListWidth,
  render: (row, { locale }) => <span className="number">{textOf(row, locale)}</span>,
})

export const cadenceColumns: Readonly<Record<ColumnKey, ColumnDefinition<Row>>> = {
  name: {
    width: 'minmax(180px, 2.4fr)',
    render: ({ name, steps }) => (
      <span className={styles.name}>
        <b>{name}</b>
        <span>{texts.steps(steps.length)}</span>
      </span>
    ),
  },
  status: { width: '118px', render: (row) => <StatusBadge {...row} /> },
  people: figure(560, ({ live_count: count }, locale) => formatNumber(count, locale)),
  enrolled: figure(860, ({ enrolled_count: count }, locale) => formatNumber(count, locale)),
  sent: figure(700, ({ results }, locale) => (results ? formatNumber(results.sent, locale) : unknown)),
  replied: figure(640, ({ results }, locale) => share(results?.reply_rate, locale)),
  bounced: figure(960, ({ results }, locale) => share(results?.bounce_rate, locale)),
  optedOut: figure(1_060, ({ results }, locale) => share(results?.opt_out_rate, locale), '148px'),
  owner: { width: 'minmax(130px, 1fr)', minListWidth: 780, render: ({ owner }) => <OwnerCell owner={owner} /> },
  campaign: {
    width: 'minmax(120px, 1fr)',
    minListWidth: 900,
    render: ({ campaign }) => <Muted>{campaign?.name}</Muted>,
  },
  created: {
    width: '104px',
    minListWidth: 900,
    sort: '-created_at',
    render: ({ created_at: at }, options) => <SinceCell at={at} {...options} />,
  },
}

export const CadenceCard = ({ row, locale }: { row: Row; locale: string }) => (
  <RowCard
    name={row.name}
    figure={share(row.results?.reply_rate, locale)}
    detail={cadenceTexts.inIt(row.live_count, formatNumber(row.live_count, locale))}
    status={<StatusBadge {...row} />}
  />
)
