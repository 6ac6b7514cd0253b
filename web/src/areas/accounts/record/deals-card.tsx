import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { unknown } from '../../../charts/chart-model.ts'
import { useMe } from '../../../session/me.ts'
import { accountTexts } from '../../../texts/en/account-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge, type Hue } from '../../../ui/badge.tsx'
import { formatDate, formatMoney } from '../../../ui/format.ts'
import type { Account } from '../account-queries.ts'
import styles from './related.module.css'
import { RelatedCard } from './related-card.tsx'
import { type AccountDeal, accountDealsQuery } from './related-queries.ts'
import { sortDeals, weighOpenDeals } from './related-records.ts'

const texts = accountTexts.deals
const hueOfKind: Readonly<Record<AccountDeal['kind'], Hue>> = { open: 'teal', won: 'success', lost: 'neutral' }

export function DealsCard({ account }: { account: Account }) {
  const { locale } = useMe()
  const query = useInfiniteQuery(accountDealsQuery(account.id))
  const deals = sortDeals(query.data?.pages.flatMap(({ items }) => items) ?? [])
  const weighted = query.hasNextPage ? undefined : weighOpenDeals(deals)
  const { open_opportunities: open, open_amount } = account.stats
  const { columns } = texts
  return (
    <RelatedCard
      texts={texts}
      query={query}
      rows={deals}
      shownFirst={5}
      summary={open > 0 && texts.sum(formatMoney(open_amount, locale), weighted && formatMoney(weighted, locale))}
      empty={{ title: texts.noneTitle, text: texts.noneText }}
      renderRows={(shown) => (
        <table className={`${styles.table} ${styles.deals}`}>
          <thead>
            <tr>
              <th scope="col">{columns.name}</th>
              <th scope="col">{columns.stage}</th>
              <th scope="col" className={styles.end}>
                {columns.amount}
              </th>
              <th scope="col">{columns.closes}</th>
              <th scope="col">{columns.owner}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((deal) => (
              <DealRow key={deal.id} deal={deal} locale={locale} />
            ))}
          </tbody>
        </table>
      )}
    />
  )
}

const DealRow = ({ deal, locale }: { deal: AccountDeal; locale: string }) => (
  <tr>
    <th scope="row">
      <Link to="/deals/$dealId" params={{ dealId: deal.id }} className={styles.link}>
        {deal.name}
      </Link>
    </th>
    <td className={styles.second}>
      <Badge hue={hueOfKind[deal.kind]}>{deal.stage_label}</Badge>
    </td>
    <td className={styles.amount}>{deal.amount ? formatMoney(deal.amount, locale) : unknown}</td>
    <td className={`${styles.soft} ${deal.is_overdue ? styles.late : ''}`}>
      {deal.is_overdue && <span className="visually-hidden">{texts.overdue} </span>}
      {formatDate(deal.close_on, locale)}
    </td>
    <td className={styles.person}>
      {deal.owner && (
        <span title={deal.owner.name}>
          <Avatar name={deal.owner.name} />
          <span className="visually-hidden">{deal.owner.name}</span>
        </span>
      )}
    </td>
  </tr>
)
