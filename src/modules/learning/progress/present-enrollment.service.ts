import { findUserNames, timezoneOf, toUserReference } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { listCertificates } from '../certificates/certificates.queries.ts'
import { toCertificateSummary } from '../certificates/certificates.service.ts'
import type { EnrollmentRow } from '../records/enrollment-row.ts'
import { listPathsIncludingDeleted } from '../records/paths.queries.ts'
import type { Enrollment } from './enrollment.schemas.ts'
import { isOpen } from './progress.rules.ts'

export async function presentEnrollments(
  tx: TenantTx,
  rows: readonly EnrollmentRow[],
  { now }: { now: Date },
): Promise<Enrollment[]> {
  if (!rows.length) return []
  const [paths, certificates, names, timezone] = await Promise.all([
    listPathsIncludingDeleted(tx, [...new Set(rows.map(({ path_id }) => path_id))]),
    listCertificates(
      tx,
      rows.map(({ id }) => id),
    ),
    findUserNames(
      tx,
      rows.flatMap(({ user_id, assigned_by }) => [user_id, ...(assigned_by ? [assigned_by] : [])]),
    ),
    timezoneOf(tx),
  ])
  const today = dayInTimezone(now, timezone)
  const pathOf = new Map(paths.map((path) => [path.id, path]))
  const certificateOf = new Map(certificates.map((certificate) => [certificate.enrollment_id, certificate]))
  return rows.map((row) => {
    const path = pathOf.get(row.path_id)!
    const certificate = certificateOf.get(row.id)
    const { id, title, type, status } = path
    return {
      id: row.id,
      path: { id, title, type, status },
      user: toUserReference(names, row.user_id),
      cycle: row.cycle,
      source: row.source,
      assigned_by: toUserReference(names, row.assigned_by),
      is_mandatory: row.is_mandatory,
      status: row.status,
      due_on: row.due_on,
      is_overdue: isOpen(row) && row.due_on !== null && row.due_on < today,
      started_at: row.started_at,
      completed_at: row.completed_at,
      progress_rate: Number(row.progress_rate),
      score: row.score === null ? null : Number(row.score),
      updates_available: row.revision < path.revision,
      certificate: certificate ? toCertificateSummary(certificate, now) : null,
      created_at: row.created_at,
      updated_at: row.updated_at,
      version: row.version,
    }
  })
}
