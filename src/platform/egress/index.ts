export { type Answer, type Egress, openEgress, type RequestOptions } from './egress.ts'
export { EgressError, type EgressReason } from './egress-error.ts'
export type { Resolve } from './resolve.ts'
