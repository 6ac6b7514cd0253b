import { useQueryClient } from '@tanstack/react-query'
import { useSaveFields } from '../../../patterns/record/use-save-fields.ts'
import { useMe } from '../../../session/me.ts'
import { type Deal, readDeal, refreshDeals, storeDeal, updateDeal } from '../deal-queries.ts'
import { readDealValue, toDealChanges } from './deal-fields.ts'

export function useDealChanges(deal: Deal) {
  const { locale, tenant } = useMe()
  const queries = useQueryClient()
  return useSaveFields({
    record: deal,
    update: async (base, changes) =>
      await updateDeal(base.id, base.version, toDealChanges(base, changes, locale, tenant.general.currency)),
    load: () => readDeal(deal.id),
    store: (saved) => {
      storeDeal(queries, saved)
      void refreshDeals(queries)
    },
    readValue: (record, field) => readDealValue(record, field, locale),
  })
}
