export { confidenceOf, rateOf, toRate, wilsonLowerBound } from './statistics.ts'
