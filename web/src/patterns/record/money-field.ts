import { formatMoney } from '../../ui/format.ts'
import type { RecordField } from './field-list.tsx'

type Money = { amount: string; currency: string }
const isMoney = (value: unknown): value is Money => typeof value === 'object' && value !== null && 'amount' in value

/** An amount is edited as a number; its currency stays. */
export function moneyField(field: RecordField, locale: string, standardCurrency: string): RecordField {
  const currency = isMoney(field.value) ? field.value.currency : standardCurrency
  return {
    ...field,
    kind: 'number',
    show: (value) => (isMoney(value) ? formatMoney(value, locale) : ''),
    toText: (value) => (isMoney(value) ? value.amount : ''),
    toValue: (text) => (text.trim() ? { amount: text.trim(), currency } : null),
  }
}
