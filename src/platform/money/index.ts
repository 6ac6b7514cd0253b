export { currencyDigits, isCurrency, Money, moneyOf, normalizeMoney, parseAmount, toMinor, toMoney } from './money.ts'
