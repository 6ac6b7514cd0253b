export type PlanSize = { large: number; medium?: number; small: number; others: number }

/** Leads per workspace; the rows of other tables are in proportion. `others` is the number of further small workspaces. */
export const sizes = {
  full: { large: 600_000, medium: 200_000, small: 1_000, others: 199 },
  short: { large: 6_000, small: 20, others: 99 },
} satisfies Record<string, PlanSize>

/** Copies of each row that the fixtures created in a table, per lead, if it differs from that of most tables. */
const copiesPerLead: Record<string, number> = {
  'community.replies': 0.05,
  'community.threads': 0.02,
  'enablement.content_views': 0.1,
  'enablement.room_visits': 0.05,
  'marketing.campaign_members': 0.1,
  'marketing.segment_members': 0.1,
  'platform.audit_log': 0.002,
  'platform.files': 0.05,
  'platform.notifications': 0.05,
  'plg.actor_days': 0.1,
  'plg.actor_event_days': 0.2,
  'plg.actor_periods': 0.05,
  'plg.actors': 0.05,
  'plg.event_keys': 0.2,
  'plg.events': 0.2,
  'surveys.answers': 0.1,
  'surveys.responses': 0.05,
}
const usualCopiesPerLead = 0.01

export const copiesOf = (table: string, leads: number): number =>
  Math.ceil(leads * (copiesPerLead[table] ?? usualCopiesPerLead))
