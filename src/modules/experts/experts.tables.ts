import { businessData, type Tables } from '#platform/module'

export const expertTables: Tables = {
  'enablement.experts': { ...businessData, personal: ['headline', 'bio'] },
  'enablement.expert_topics': businessData,
  'enablement.expert_requests': {
    ...businessData,
    audit_label: 'topic',
    personal: ['subject', 'body', 'answer', 'rating_comment'],
  },
  'enablement.expert_request_events': { ...businessData, personal: ['note'] },
}
