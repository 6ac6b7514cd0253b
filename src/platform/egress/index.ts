export { createEgress, type Egress, type EgressRequestOptions, type EgressResponse } from './egress.ts'
export { EgressError, type EgressReason } from './egress-error.ts'
export type { HostResolver } from './resolve-host.ts'
