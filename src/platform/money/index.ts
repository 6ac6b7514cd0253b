export { currencyDigits } from './currencies.ts'
export { countMinor, Money, moneyOf, toMinor, toMoney } from './money.ts'
