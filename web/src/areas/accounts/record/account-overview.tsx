import { can, useMe } from '../../../session/me.ts'
import { AccountTiles } from './account-tiles.tsx'
import { AccountWho } from './account-who.tsx'
import { DealsCard } from './deals-card.tsx'
import { PeopleCard } from './people-card.tsx'

/** Shows what the account is and is worth, and the deals and people behind it. */
export function AccountOverview(props: Parameters<typeof AccountWho>[0]) {
  const me = useMe()
  const { account } = props
  return (
    <>
      <AccountWho {...props} />
      <AccountTiles account={account} />
      {can(me, 'opportunities.read') && <DealsCard account={account} />}
      {can(me, 'contacts.read') && <PeopleCard account={account} />}
    </>
  )
}
