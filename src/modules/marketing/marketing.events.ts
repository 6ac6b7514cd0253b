import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Text = Type.String()
const record = { entity_type: Text, entity_id: Id }

export const enrichmentCompleted = defineEvent('enrichment.completed', {
  resource: 'enrichment',
  description: 'A record was enriched, or there was nothing to enrich',
  data: strict({ ...record, status: Text, reason: nullable(Text), fields: Type.Array(Text) }),
})
export const enrichmentFailed = defineEvent('enrichment.failed', {
  resource: 'enrichment',
  description: 'No provider could be reached to enrich a record',
  data: strict(record),
})
export const suggestionAccepted = defineEvent('enrichment_suggestion.accepted', {
  resource: 'enrichment',
  description: 'A suggested value was accepted',
  data: strict({ ...record, field: Text }),
})
export const suggestionRejected = defineEvent('enrichment_suggestion.rejected', {
  resource: 'enrichment',
  description: 'A suggested value was rejected',
  data: strict({ ...record, field: Text }),
})
