export { cancelOpenDistributions } from './sending/distributions/distributions.queries.ts'
export { surveys } from './surveys.module.ts'
