import { unknown } from '../../../charts/chart-model.ts'
import { Muted, OwnerCell } from '../../../patterns/list/cells.tsx'
import type { ColumnDefinition } from '../../../patterns/list/list-definition.ts'
import { campaignListTexts as texts } from '../../../texts/en/campaign-list-texts.ts'
import { formatMoney, formatNumber } from '../../../ui/format.ts'
import type { ListedCampaign } from '../campaign-queries.ts'
import { describeDates, formatFactor, formatRate } from '../campaign-words.ts'
import { StatusBadge } from '../status-badge.tsx'
import styles from './campaigns.module.css'

type ColumnKey = keyof typeof texts.columns
type Money = { amount: string; currency: string }

export const standardColumns: readonly ColumnKey[] = [
  'name',
  'status',
  'people',
  'responded',
  'won',
  'roi',
  'cost',
  'dates',
  'owner',
]

const showMoney = (money: Money | null | undefined, locale: string) =>
  money ? formatMoney(money, locale) : <Muted>{unknown}</Muted>

export const campaignColumns: Readonly<Record<ColumnKey, ColumnDefinition<ListedCampaign>>> = {
  name: {
    width: 'minmax(170px, 3.4fr)',
    render: ({ name, type }) => (
      <span className={styles.name}>
        <b>{name}</b>
        <span>{texts.types[type]}</span>
      </span>
    ),
  },
  status: { width: '116px', render: ({ status }) => <StatusBadge status={status} /> },
  people: {
    width: '76px',
    align: 'end',
    minListWidth: 480,
    render: ({ member_count }, { locale }) => formatNumber(member_count, locale),
  },
  responded: {
    width: '108px',
    align: 'end',
    minListWidth: 600,
    render: ({ member_count: all, responded_count: count }, { locale }) => (
      <>
        {formatNumber(count, locale)} {all > 0 && <Muted>{formatRate(count / all, locale)}</Muted>}
      </>
    ),
  },
  won: {
    width: '120px',
    align: 'end',
    minListWidth: 560,
    render: ({ results }, { locale }) => <b>{showMoney(results?.won_amount, locale)}</b>,
  },
  open: {
    width: '120px',
    align: 'end',
    minListWidth: 940,
    render: ({ results }, { locale }) => showMoney(results?.open_amount, locale),
  },
  roi: {
    width: '106px',
    align: 'end',
    minListWidth: 820,
    render: ({ results }, { locale }) =>
      results?.roi === null || !results ? <Muted>{unknown}</Muted> : formatFactor(results.roi, locale),
  },
  cost: {
    width: '92px',
    align: 'end',
    minListWidth: 900,
    render: ({ actual_cost: cost }, { locale }) => showMoney(cost, locale),
  },
  dates: {
    width: 'minmax(124px, 0.9fr)',
    minListWidth: 1000,
    render: (campaign, { locale }) => <Muted>{describeDates(campaign, locale)}</Muted>,
  },
  owner: { width: 'minmax(120px, 1fr)', minListWidth: 1100, render: ({ owner }) => <OwnerCell owner={owner} /> },
  tags: { width: 'minmax(120px, 1fr)', minListWidth: 1100, render: ({ tags }) => <Muted>{tags.join(', ')}</Muted> },
}
