export { cancelOpenDistributions } from './distributions/distributions.queries.ts'
export { surveys } from './surveys.module.ts'
