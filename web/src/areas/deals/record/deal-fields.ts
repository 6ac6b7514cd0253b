import type { Fields } from '../../../api/merge-fields.ts'
import { formatPercent, parseAmount, toAmountText } from '../../../patterns/amounts.ts'
import { fieldProblem } from '../../../patterns/field-problem.ts'
import type { RecordField } from '../../../patterns/record/field-list.tsx'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { formatDate, formatMoney } from '../../../ui/format.ts'
import { daysOver } from '../days.ts'
import type { Deal, DealChanges } from '../deal-queries.ts'

const { fields: labels, categories } = dealTexts

const categoryOptions = (['pipeline', 'best_case', 'commit', 'omitted'] as const).map((value) => ({
  value,
  label: categories[value],
}))

type FieldOptions = {
  locale: string
  today: string
  currency: string
  /** The owner is chosen in a dialog. */
  owner: { nameOf: (id: unknown) => string | undefined; choose: () => void }
}

/** The fields of a deal that are edited in place. The amount is edited as text in the currency of the deal. */
export function toDealFields(
  deal: Deal,
  { locale, today, currency: baseCurrency, owner }: FieldOptions,
): RecordField[] {
  const currency = deal.amount?.currency ?? baseCurrency
  const showAmount = (value: unknown) => {
    const amount = parseAmount(String(value ?? ''), locale)
    return amount === undefined ? '' : formatMoney({ amount, currency }, locale)
  }
  const showDate = (value: unknown) => {
    if (!value) return ''
    const over = daysOver({ ...deal, close_on: String(value) }, today)
    const date = formatDate(String(value), locale)
    return over > 0 ? dealTexts.daysOver(date, over) : date
  }
  const isLate = (value: unknown) => daysOver({ ...deal, close_on: String(value) }, today) > 0
  return [
    {
      field: 'owner_id',
      label: dealTexts.owner,
      value: deal.owner_id,
      show: (value) => owner.nameOf(value) ?? dealTexts.noOwner,
      edit: owner.choose,
    },
    { field: 'name', label: labels.name, value: deal.name },
    { field: 'account', label: labels.account, value: deal.account?.name, isReadOnly: true },
    { field: 'amount', label: labels.amount, value: readDealValue(deal, 'amount', locale), show: showAmount },
    { field: 'close_on', label: labels.closeOn, value: deal.close_on, kind: 'date', show: showDate, isLate },
    { field: 'next_step', label: labels.nextStep, value: deal.next_step },
    {
      field: 'forecast_category',
      label: labels.category,
      value: deal.forecast_category,
      kind: 'select',
      options:
        deal.kind === 'open' ? categoryOptions : [{ value: 'closed', label: categories.closed }, ...categoryOptions],
      isReadOnly: deal.kind !== 'open',
    },
    {
      field: 'probability_rate',
      label: labels.probability,
      value: deal.probability_rate,
      show: (value) => formatPercent(Number(value), locale),
      isReadOnly: true,
    },
    { field: 'notes', label: labels.notes, value: deal.notes, kind: 'multiline' },
  ]
}

export const readDealValue = (deal: Deal, field: string, locale: string): unknown =>
  field === 'amount' ? toAmountText(deal.amount?.amount, locale) || null : deal[field as keyof Deal]

/** Converts edited values into the request. */
export function toDealChanges(deal: Deal, changes: Fields, locale: string, baseCurrency: string): DealChanges {
  if (typeof changes.amount !== 'string') return changes as DealChanges
  const amount = parseAmount(changes.amount, locale)
  if (amount === undefined) throw fieldProblem('amount', dealTexts.notAnAmount)
  return { ...changes, amount: { amount, currency: deal.amount?.currency ?? baseCurrency } } as DealChanges
}
