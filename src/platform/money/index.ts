export { currencyDigits, isCurrency, Money, moneyOf, parseAmount, toMinor, toMoney } from './money.ts'
