export {
  type AuditEntry,
  type AuditFilter,
  hasAuditEntriesSince,
  listAuditEntries,
  listChangedResources,
  listRecentActivity,
  type RecentActivity,
  renewAuditEntry,
  renewedAuditColumns,
  visibleLabel,
} from './list-audit-entries.ts'
export {
  type AuditAction,
  insertAuditEntries,
  type NewAuditEntry,
  type PreparedAuditEntry,
  prepareAuditEntry,
  recordAudit,
  recordAuditDenial,
  recordAuditEntries,
} from './record-audit.ts'
export { listAuditedIdsMentioning, redactAuditEntries, redactAuditMentions } from './redact-audit.ts'
export { deleteAuditEntriesBefore } from './retention.ts'
export { isSealed, type NewSeal, sealAuditLogs, sealTenantAuditLog } from './seal.ts'
export { createSealSigner, type SealSigner } from './seal-signer.ts'
export { type ChainReport, type Mismatch, verifyAuditChain } from './verify.ts'
