import { settingsUpdated, userDeactivated } from '#events/identity'
import { conflict } from '#platform/errors'
import { type Subscription, subscribe } from '#platform/outbox'
import { hasAmounts } from './currency.queries.ts'
import { dropInactiveOwners } from './drop-owners.service.ts'

/** Amounts were reckoned in the base currency, so it stays what it is once there is one. */
const keepingCurrency = subscribe(
  settingsUpdated,
  'crm.keep_currency',
  async (tx, { data: { section, changed } }) => {
    if (section === 'general' && changed.includes('currency') && (await hasAmounts(tx)))
      throw conflict('currency_in_use', 'Amounts of leads, accounts or deals were reckoned in the present currency.')
  },
  { inTransaction: true },
)

const droppingOwners = subscribe(userDeactivated, 'crm.drop_inactive_owners', dropInactiveOwners)

export const settingsSubscriptions: Subscription[] = [keepingCurrency, droppingOwners]
