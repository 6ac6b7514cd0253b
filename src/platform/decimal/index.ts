export { type Decimal, decimal, maxOf, minOf, roundHalfUp, sumOf, toExactNumber } from './decimal.ts'
