import { addBusinessMinutes } from '#platform/calendar'
import { secondsLater } from '#platform/clock'
import type { CrmSettings } from '../../records/settings/crm-settings.schemas.ts'

type GradedLead = { grade: string; created_at: Date }

export function deriveSlaDueAt(
  { grade, created_at }: GradedLead,
  { minutes, business_hours_only, business_hours }: CrmSettings['sla'],
  workspaceTimezone: string,
): Date {
  const allowed = minutes[grade.toLowerCase() as 'a' | 'b' | 'c']
  if (!business_hours_only) return secondsLater(created_at, allowed * 60)
  return addBusinessMinutes(created_at, allowed, {
    ...business_hours,
    timezone: business_hours.timezone ?? workspaceTimezone,
  })
}

type SlaTimestamps = { sla_due_at: Date | null; sla_breached_at: Date | null; first_responded_at: Date | null }

/** A late response does not clear the breach. */
export function deriveSlaStatus({ sla_due_at, sla_breached_at, first_responded_at }: SlaTimestamps, now: Date) {
  if (sla_due_at === null) return 'none'
  if (first_responded_at !== null) return first_responded_at <= sla_due_at ? 'met' : 'breached'
  return sla_breached_at !== null || sla_due_at < now ? 'breached' : 'pending'
}
