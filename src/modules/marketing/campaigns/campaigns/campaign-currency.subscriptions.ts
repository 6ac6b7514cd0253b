import { settingsUpdated } from '#events/identity'
import { conflict } from '#platform/errors'
import { type Subscription, subscribe } from '#platform/outbox'
import { hasCampaignAmounts } from './campaigns.queries.ts'

/** Stored base amounts would be wrong in another base currency. */
export const onCurrencyChanged: Subscription = subscribe(
  settingsUpdated,
  'marketing.keep_currency',
  async (tx, { data: { section, changed } }) => {
    if (section === 'general' && changed.includes('currency') && (await hasCampaignAmounts(tx)))
      throw conflict('currency_in_use', 'The currency cannot be changed because amounts of campaigns are stored in it.')
  },
  { inTransaction: true },
)
