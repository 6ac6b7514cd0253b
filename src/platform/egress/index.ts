export {
  createEgress,
  type Egress,
  type EgressRequestOptions,
  type EgressResponse,
  type HostResolver,
} from './egress.ts'
export { EgressError, type EgressReason, toUrlInputError } from './egress-error.ts'
