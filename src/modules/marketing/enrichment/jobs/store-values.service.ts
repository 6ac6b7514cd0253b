import { createHash } from 'node:crypto'
import {
  applyEnrichedValues,
  confirmEnrichedValues,
  type EnrichedValue,
  isDerivedField,
  normalizeEnrichedValue,
  type RecordFacts,
} from '#modules/crm'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { type NewSuggestion, upsertSuggestions } from '../suggestions/suggestions.queries.ts'
import type { Suggestion } from '../suggestions/suggestions.schemas.ts'
import {
  type Candidate,
  comparableOf,
  decideWrite,
  type WriteDecision,
  type WritePolicy,
} from './write-decision.rules.ts'

export type StoredValues = { applied: EnrichedValue[]; suggested: Suggestion[] }

/** Splits what a provider found into valid values and the names of invalid ones. */
export function checkFoundValues(
  { ref }: Pick<RecordFacts, 'ref'>,
  provider: string,
  found: Readonly<Record<string, { value: unknown; confidence: number }>>,
): { candidates: Candidate[]; invalidFields: string[] } {
  const checked = Object.entries(found).map(([field, { value, confidence }]) => ({
    field,
    provider,
    confidence,
    value: normalizeEnrichedValue(ref.type, field, value),
  }))
  return {
    candidates: checked.filter(({ value }) => value !== undefined),
    invalidFields: checked.filter(({ value }) => value === undefined).map(({ field }) => field),
  }
}

/** Writes the values that may be written to a locked record and suggests the others to users. */
export async function storeValues(
  tx: TenantTx,
  services: Pick<Services, 'clock' | 'secrets'>,
  facts: RecordFacts,
  candidates: readonly Candidate[],
  policy: WritePolicy,
): Promise<StoredValues> {
  const { ref, fields } = facts
  const decided = candidates.map((candidate) => {
    const current = fields.get(candidate.field)!
    const isDerived = isDerivedField(ref.type, candidate.field)
    return { ...candidate, current, decision: decideWrite(candidate, current, policy, { isDerived }) }
  })
  const decidedAs = (...decisions: WriteDecision[]) => decided.filter(({ decision }) => decisions.includes(decision))
  const written = await applyEnrichedValues(
    tx,
    actorOf(tx),
    ref,
    decidedAs('write', 'overwrite').map(toValue),
    services,
  )
  const confirmed = decidedAs('confirm')
  await confirmEnrichedValues(tx, ref, confirmed.map(toValue), services)

  const writtenFields = new Set(written.map(({ field }) => field))
  const suggestions = [
    ...decidedAs('suggest').map(({ field, value, current, provider, confidence }) =>
      toSuggestion({ field, current_value: current.value, suggested_value: value, provider, confidence }),
    ),
    ...decidedAs('overwrite')
      .filter(({ field }) => writtenFields.has(field))
      .map(({ field, value, current }) =>
        toSuggestion({ field, current_value: value, suggested_value: current.value, provider: null, confidence: null }),
      ),
  ]
  const suggested = await upsertSuggestions(tx, ref, suggestions, policy.now)
  const firstConfirmed = confirmed.filter(({ current }) => current.provenance === null).map(toValue)
  return { applied: [...written, ...firstConfirmed], suggested }
}

const toValue = ({ field, value, provider, confidence }: Candidate): EnrichedValue => ({
  field,
  value,
  provider,
  confidence,
})

const toSuggestion = (suggestion: Omit<NewSuggestion, 'id' | 'value_hash'>): NewSuggestion => ({
  id: newId(),
  ...suggestion,
  value_hash: createHash('sha256').update(comparableOf(suggestion.field, suggestion.suggested_value)).digest('hex'),
})
