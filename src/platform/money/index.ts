export { currencyDigits, isCurrency } from './currencies.ts'
export { Money, moneyOf, parseAmount, toMinor, toMoney } from './money.ts'
