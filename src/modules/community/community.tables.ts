import type { Tables } from '#platform/module'

const businessData = { export: 'full', clean: 'business' } as const

export const communityTables: Tables = {
  'community.room_settings': businessData,
  'community.threads': { ...businessData, audit_label: 'title' },
  'community.replies': { ...businessData, import_after: ['community.threads'] },
  'community.post_words': { export: 'skip', clean: 'business' },
  'community.mentions': businessData,
  'community.reports': businessData,
  'community.thread_readers': businessData,
  'community.suspensions': { ...businessData, personal: ['reason'] },
}
