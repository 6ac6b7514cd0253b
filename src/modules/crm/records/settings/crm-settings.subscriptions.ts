import { settingsUpdated, userDeactivated } from '#events/identity'
import { conflict } from '#platform/errors'
import { type Subscription, subscribe } from '#platform/outbox'
import { hasBaseCurrencyAmounts } from './crm-settings.queries.ts'
import { removeInactiveOwners } from './crm-settings.service.ts'

/** Stored base amounts would be wrong in another base currency. */
const onCurrencyChanged = subscribe(
  settingsUpdated,
  'crm.keep_currency',
  async (tx, { data: { section, changed } }) => {
    if (section === 'general' && changed.includes('currency') && (await hasBaseCurrencyAmounts(tx)))
      throw conflict(
        'currency_in_use',
        'The currency cannot be changed because amounts of leads, contacts, accounts or deals are stored in it.',
      )
  },
  { inTransaction: true },
)

const onUserDeactivated = subscribe(userDeactivated, 'crm.drop_inactive_owners', removeInactiveOwners)

export const crmSettingsSubscriptions: Subscription[] = [onCurrencyChanged, onUserDeactivated]
