import { subscribe } from '#platform/outbox'
import { accountUpdated } from '../../crm.events.ts'
import { findAccountNames } from '../../records/references/record-names.queries.ts'
import { toSearchColumns } from './create-opportunity.service.ts'
import { lockOpportunityNames, updateOpportunitySearchTexts } from './opportunities.queries.ts'

/** Updates the search text of deals, which contains the name of their account. */
export const onAccountRenamed = subscribe(
  accountUpdated,
  'crm.follow_account_names',
  async (tx, { subject: { id }, data, isTruncated }) => {
    if (!isTruncated && !data.changed.includes('name')) return
    const deals = await lockOpportunityNames(tx, id)
    const name = (await findAccountNames(tx, [id])).get(id)
    if (name === undefined) return
    const texts = deals.map((deal) => ({ id: deal.id, search_text: toSearchColumns(deal.name, name).search_text }))
    if (texts.length) await updateOpportunitySearchTexts(tx, texts)
  },
)
