import { acceptValue, lockRecordFacts } from '#modules/crm'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, scopeRequired } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { suggestionAccepted, suggestionRejected } from '../../marketing.events.ts'
import { writeScopes } from '../enrichable.ts'
import { decideSuggestionRow, getSuggestion } from './suggestions.queries.ts'
import type { Suggestion } from './suggestions.schemas.ts'

type SuggestionServices = Pick<Services, 'clock' | 'secrets'>

/** Writes the suggested value as a value of the user. */
export async function acceptEnrichmentSuggestion(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  services: SuggestionServices,
): Promise<Suggestion> {
  const suggestion = await getDecidable(tx, actor, id)
  const { entity_type: type, entity_id, field, suggested_value: value } = suggestion
  const ref = { type, id: entity_id }
  await lockRecordFacts(tx, ref)
  await acceptValue(tx, actor, ref, { field, value }, services)
  return await decide(tx, actor, suggestion, 'accepted', services)
}

/** The value is not suggested again for this record. */
export async function rejectEnrichmentSuggestion(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  services: SuggestionServices,
): Promise<Suggestion> {
  const suggestion = await getDecidable(tx, actor, id)
  return await decide(tx, actor, suggestion, 'rejected', services)
}

async function getDecidable(tx: TenantTx, { scopes }: UserActor, id: string): Promise<Suggestion> {
  const suggestion = await getSuggestion(tx, id)
  const scope = writeScopes[suggestion.entity_type]
  if (!scopes.has(scope)) throw scopeRequired(scope)
  return suggestion
}

async function decide(
  tx: TenantTx,
  { userId }: UserActor,
  before: Suggestion,
  state: 'accepted' | 'rejected',
  { clock }: SuggestionServices,
): Promise<Suggestion> {
  const decided = await decideSuggestionRow(tx, before.id, { state, decided_by: userId, decided_at: clock.now() })
  if (!decided) throw conflict('conflict', 'The suggestion was already accepted or rejected.')
  const { id, entity_type, entity_id, field } = decided
  await recordAudit(tx, `enrichment_suggestion.${state}`, {
    id,
    label: field,
    before: { state: 'open' },
    after: { state },
  })
  const event = state === 'accepted' ? suggestionAccepted : suggestionRejected
  await emit(tx, event, { id }, { entity_type, entity_id, field })
  return decided
}
