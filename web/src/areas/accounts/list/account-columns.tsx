import { unknown } from '../../../charts/chart-model.ts'
import { Muted, NameCell, OwnerCell, SinceCell } from '../../../patterns/list/cells.tsx'
import type { ColumnDefinition } from '../../../patterns/list/list-definition.ts'
import type { accountListTexts as texts } from '../../../texts/en/account-list-texts.ts'
import { formatMoney, formatNumber } from '../../../ui/format.ts'
import type { ListedAccount } from '../account-queries.ts'
import { TypeBadge } from '../type-badge.tsx'

type ColumnKey = keyof typeof texts.columns
type Money = { amount: string; currency: string }

export const standardColumns: readonly ColumnKey[] = [
  'name',
  'type',
  'deals',
  'open',
  'people',
  'activity',
  'industry',
  'owner',
]

/** Nothing is drawn less than an amount, so that the amounts stand out. */
const showMoney = (money: Money | undefined, locale: string) =>
  money && Number(money.amount) > 0 ? <b>{formatMoney(money, locale)}</b> : <Muted>{unknown}</Muted>

const showCount = (count: number | null | undefined, locale: string) =>
  count ? formatNumber(count, locale) : <Muted>{unknown}</Muted>

export const accountColumns: Readonly<Record<ColumnKey, ColumnDefinition<ListedAccount>>> = {
  name: {
    width: 'minmax(150px, 2.6fr)',
    sort: 'name',
    render: ({ name, domain }) => <NameCell name={name} detail={domain} isCompany />,
  },
  type: { width: '142px', minListWidth: 430, render: ({ type }) => <TypeBadge type={type} /> },
  deals: {
    width: '96px',
    align: 'end',
    minListWidth: 700,
    render: ({ stats }, { locale }) => showCount(stats?.open_opportunities, locale),
  },
  open: {
    width: '124px',
    align: 'end',
    minListWidth: 560,
    render: ({ stats }, { locale }) => showMoney(stats?.open_amount, locale),
  },
  won: {
    width: '124px',
    align: 'end',
    minListWidth: 940,
    render: ({ stats }, { locale }) => showMoney(stats?.won_amount, locale),
  },
  people: {
    width: '76px',
    align: 'end',
    minListWidth: 820,
    render: ({ stats }, { locale }) => showCount(stats?.contacts, locale),
  },
  activity: {
    width: '112px',
    minListWidth: 760,
    sort: '-last_activity_at',
    render: ({ last_activity_at: at }, options) => <SinceCell at={at} {...options} />,
  },
  industry: {
    width: 'minmax(110px, 1fr)',
    minListWidth: 1000,
    render: ({ industry }) => <Muted>{industry}</Muted>,
  },
  owner: { width: 'minmax(120px, 1fr)', minListWidth: 900, render: ({ owner }) => <OwnerCell owner={owner} /> },
  employees: {
    width: '96px',
    align: 'end',
    minListWidth: 1000,
    render: ({ employee_count: count }, { locale }) => showCount(count, locale),
  },
  tags: { width: 'minmax(120px, 1fr)', minListWidth: 1000, render: ({ tags }) => <Muted>{tags.join(', ')}</Muted> },
  created: {
    width: '112px',
    minListWidth: 940,
    sort: '-created_at',
    render: ({ created_at: at }, options) => <SinceCell at={at} {...options} />,
  },
}
