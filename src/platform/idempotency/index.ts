export {
  type ClaimResult,
  claimIdempotencyKey,
  hashRequest,
  type IdempotencyClaim,
  type StoredResponse,
} from './claim.ts'
export { deleteExpiredIdempotencyKeys } from './maintenance.ts'
export { redactResponsesToUser, redactStoredResponses, releaseClaim, storeResponse } from './stored-response.ts'
