export { createEgress, type Egress, type EgressRequestOptions, type EgressResponse } from './egress.ts'
export { EgressError, type EgressReason, toUrlInputError } from './egress-error.ts'
export type { HostResolver } from './resolve-host.ts'
