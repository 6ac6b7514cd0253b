import { useInfiniteQuery } from '@tanstack/react-query'
import { Tiles } from '../../../charts/tile.tsx'
import { useNow } from '../../../patterns/use-now.ts'
import { can, useMe } from '../../../session/me.ts'
import { accountTexts } from '../../../texts/en/account-texts.ts'
import { formatDate, formatMoney, formatNumber, formatSince } from '../../../ui/format.ts'
import type { Account } from '../account-queries.ts'
import { accountDealsQuery, accountPeopleQuery } from './related-queries.ts'
import { countActive, sortDeals } from './related-records.ts'

const texts = accountTexts.tiles

/** The figures of the account. Their notes follow from its deals and people, as soon as these are loaded. */
export function AccountTiles({ account }: { account: Account }) {
  const me = useMe()
  const { locale } = me
  const now = useNow()
  const { contacts, open_opportunities: open, open_amount, won_amount } = account.stats
  const deals = useInfiniteQuery({ ...accountDealsQuery(account.id), enabled: can(me, 'opportunities.read') })
  const people = useInfiniteQuery({ ...accountPeopleQuery(account.id), enabled: can(me, 'contacts.read') })
  const allDeals = deals.hasNextPage ? undefined : deals.data?.pages.flatMap(({ items }) => items)
  const allPeople = people.hasNextPage ? undefined : people.data?.pages.flatMap(({ items }) => items)
  const sorted = sortDeals(allDeals ?? [])
  const next = sorted.find(({ kind }) => kind === 'open')
  const won = sorted.filter(({ kind }) => kind === 'won')
  const count = (one: number) => formatNumber(one, locale)
  const active = allPeople && countActive(allPeople, now)
  const at = account.last_activity_at
  return (
    <Tiles
      label={texts.label}
      tiles={[
        {
          label: texts.open,
          value: open > 0 ? formatMoney(open_amount, locale) : texts.none,
          note: open > 0 && texts.openDeals(open, count(open), next && formatDate(next.close_on, locale)),
        },
        {
          label: texts.won,
          value: Number(won_amount.amount) > 0 ? formatMoney(won_amount, locale) : texts.none,
          note: won[0] && texts.wonDeals(won.length, count(won.length), formatDate(won[0].close_on, locale)),
        },
        {
          label: texts.people,
          value: count(contacts),
          note: active !== undefined && contacts > 0 && texts.active(active, count(active)),
        },
        { label: texts.activity, value: at ? formatSince(at, now, locale) : texts.never },
      ]}
    />
  )
}
