export {
  type ClaimResult,
  claimIdempotencyKey,
  hashRequest,
  type IdempotencyClaim,
  type StoredResponse,
} from './claim.ts'
export { renewLeases, startLeaseRenewal } from './lease.ts'
export { deleteExpiredIdempotencyKeys } from './maintenance.ts'
export { redactStoredResponses, releaseClaim, storeResponse } from './stored-response.ts'
