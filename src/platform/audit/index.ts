export { type AuditEntry, type AuditFilter, listAudit } from './list-entries.ts'
export { type Activity, labelToRead, recentActivityOf } from './recent-activity.ts'
export {
  type Action,
  type Entry,
  type PreparedEntry,
  prepareEntry,
  record,
  recordDenied,
  recordEach,
  recordPrepared,
} from './record.ts'
export { redactAudit } from './redact.ts'
export { deleteAuditBefore } from './retention.ts'
export { isSealed, type NewSeal, sealAudit, sealAuditLog } from './seal.ts'
export { type ChainReport, type Mismatch, verifyAuditChain } from './verify.ts'
