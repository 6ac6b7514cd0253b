import { subscribe } from '#platform/outbox'
import { namesOfAccounts } from '../accounts/accounts.queries.ts'
import { accountUpdated } from '../crm.events.ts'
import { listNamesOfDeals, storeSearchTexts } from './account-names.queries.ts'
import { textFields } from './open-opportunity.service.ts'

/** Deals are found by the name of their account, also after it got another one. */
export const followingAccountNames = subscribe(
  accountUpdated,
  'crm.follow_account_names',
  async (tx, { subject: { id }, data, isTruncated }) => {
    if (!isTruncated && !data.changed.includes('name')) return
    const name = (await namesOfAccounts(tx, [id])).get(id)
    if (name === undefined) return
    const deals = await listNamesOfDeals(tx, id)
    const texts = deals.map((deal) => ({ id: deal.id, search_text: textFields(deal.name, name).search_text }))
    if (texts.length) await storeSearchTexts(tx, texts)
  },
)
