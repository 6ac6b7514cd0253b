export { resetAnonymousSurveys } from './responses/responses/reset-anonymous-surveys.queries.ts'
export { cancelOpenDistributions } from './sending/distributions/distributions.queries.ts'
export { surveys } from './surveys.module.ts'
