import type { Tables } from '#platform/module'

const businessData = { export: 'full', clean: 'business' } as const

export const marketingTables: Tables = {
  'marketing.campaigns': { ...businessData, ownable: 'owner_id', audit_label: 'name' },
  'marketing.campaign_members': { ...businessData, personal: ['note'] },
  'marketing.campaign_counts': { export: 'skip', clean: 'business' },
  'marketing.opportunity_touches': businessData,
  'marketing.attribution_marks': { export: 'skip', clean: 'business' },
}
