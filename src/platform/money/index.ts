export { currencyDigits } from './currencies.ts'
export { Money, toMinor, toMoney } from './money.ts'
