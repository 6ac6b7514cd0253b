export { currencyDigits } from './currencies.ts'
export { countMinor, Money, toMinor, toMoney } from './money.ts'
