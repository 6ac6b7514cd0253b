import { Link } from '@tanstack/react-router'
import { unknown } from '../../../charts/chart-model.ts'
import { useMe } from '../../../session/me.ts'
import { campaignResultTexts } from '../../../texts/en/campaign-result-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge, type Hue } from '../../../ui/badge.tsx'
import { formatMoney, formatNumber } from '../../../ui/format.ts'
import type { DealKind, TouchedDeal } from '../campaign-queries.ts'
import { models } from '../campaign-search.ts'
import styles from './deals-card.module.css'
import { listDots, sumCredits } from './touched-deals.ts'

const texts = campaignResultTexts.deals
const hueOfKind: Readonly<Record<DealKind, Hue>> = { open: 'info', won: 'success', lost: 'neutral' }

type Money = { amount: string; currency: string }

/** The deals that are shown, and the sums of all that match. */
export function DealsTable({ deals, all }: { deals: readonly TouchedDeal[]; all: readonly TouchedDeal[] }) {
  const { locale } = useMe()
  const { columns } = texts
  const sums = sumCredits(all)
  const show = (money: Money | null | undefined) =>
    money && Number(money.amount) > 0 ? formatMoney(money, locale) : unknown
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{columns.deal}</th>
          <th scope="col">{columns.state}</th>
          <th scope="col" className={styles.end}>
            {columns.amount}
          </th>
          <th scope="col">{columns.touch}</th>
          {models.map((model) => (
            <th key={model} scope="col" className={styles.end}>
              {columns[model]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {deals.map((deal) => (
          <tr key={deal.opportunity.id}>
            <th scope="row">
              <Link to="/deals/$dealId" params={{ dealId: deal.opportunity.id }} className={styles.name}>
                <Avatar name={deal.account?.name ?? deal.opportunity.name} isCompany />
                <b>{deal.opportunity.name}</b>
                <span>{deal.account?.name}</span>
              </Link>
            </th>
            <td>
              <Badge hue={hueOfKind[deal.kind]}>{texts.kinds[deal.kind]}</Badge>
            </td>
            <td className={styles.strong} data-label={columns.amount}>
              {show(deal.amount)}
            </td>
            <td>
              <Touch deal={deal} />
            </td>
            {models.map((model) => (
              <td key={model} className={model === 'linear' ? styles.strong : styles.soft} data-label={columns[model]}>
                {show(deal.credit[model])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={4}>
            {texts.sumOf(all.length, formatNumber(all.length, locale))}
          </th>
          {models.map((model) => (
            <td key={model} className={styles.strong} data-label={columns[model]}>
              {show(sums[model])}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  )
}

const Touch = ({ deal }: { deal: TouchedDeal }) => (
  <span className={styles.touch}>
    <span className={styles.dots} aria-hidden="true">
      {listDots(deal).map((isOwn, at) => (
        <i key={at} className={isOwn ? styles.own : undefined} />
      ))}
    </span>
    {texts.touch(deal.position, deal.of)}
  </span>
)
