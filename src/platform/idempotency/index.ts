export {
  type ClaimResult,
  claimIdempotencyKey,
  hashRequest,
  type IdempotencyClaim,
  type StoredResponse,
} from './claim.ts'
export { deleteExpiredIdempotencyKeys } from './delete-expired-keys.ts'
export { redactResponsesToUser, redactStoredResponses, releaseClaim, storeResponse } from './stored-response.ts'
