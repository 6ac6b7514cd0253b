import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Text = Type.String()
const resource = 'plg' as const
/** The subject is the person or account of the product. */
const links = { contact_id: nullable(Id), lead_id: nullable(Id), account_id: nullable(Id) }
const qualification = { qualification_id: Id, rule_key: Text, kind: Type.Enum(['person', 'account']), ...links }

export const actorUpdated = defineEvent('plg.actor_updated', {
  resource,
  description: 'A user changed the links of a person or account of the product',
  data: strict({ changed: Type.Array(Text), ...links }),
})
export const actorErased = defineEvent('plg.actor_erased', {
  resource,
  description: 'The data of a person or account of the product was erased',
  data: strict({}),
})
export const pqlQualified = defineEvent('plg.pql_qualified', {
  resource,
  description: 'A person or account of the product became a product-qualified lead',
  data: strict({ ...qualification, points: Type.Integer() }),
})
export const pqlLost = defineEvent('plg.pql_lost', {
  resource,
  description: 'A person or account of the product is no longer a product-qualified lead',
  data: strict(qualification),
})
