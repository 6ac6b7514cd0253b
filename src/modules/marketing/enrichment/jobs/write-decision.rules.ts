import type { FieldFact } from '#modules/crm'
import { canonicalJson } from '#platform/canonical-json'
import { daysLater } from '#platform/clock'
import { trimEndOf } from '#platform/text'

export type Candidate = { field: string; value: unknown; provider: string; confidence: number }

/**
 * `write`: replaces the value; `overwrite`: also keeps the previous value as a suggestion; `confirm`: the record has the value,
 * only the provenance is recorded; `suggest`: a user decides; `ignore`: nothing happens.
 */
export type WriteDecision = 'write' | 'overwrite' | 'confirm' | 'suggest' | 'ignore'

export type WritePolicy = {
  overwrite_policy: 'empty_only' | 'own_values' | 'always'
  min_confidence: number
  refresh_after_days: number
  /** Enriched values are refreshed regardless of their age. */
  isForced: boolean
  now: Date
}

export function decideWrite(
  candidate: Candidate,
  { value, provenance }: FieldFact,
  policy: WritePolicy,
  { isDerived = false }: { isDerived?: boolean } = {},
): WriteDecision {
  const { field, confidence } = candidate
  if (confidence < policy.min_confidence) return 'ignore'
  const isOwn = provenance?.source === 'enrichment'
  if (value !== null && isSameValue(field, value, candidate.value)) {
    if (isOwn) return isRefreshable(provenance.set_at, policy) ? 'confirm' : 'ignore'
    return isDerived && provenance === null ? 'confirm' : 'ignore'
  }
  if (isDerived) return 'ignore'
  const isProtected = value === null ? provenance?.source === 'human' : !isOwn
  if (isProtected && policy.overwrite_policy !== 'always') return 'suggest'
  if (value === null) return 'write'
  if (isProtected) return 'overwrite'
  return mayReplaceOwn(confidence, provenance?.confidence ?? 0, provenance!.set_at, policy) ? 'write' : 'ignore'
}

function mayReplaceOwn(confidence: number, previous: number, setAt: Date, policy: WritePolicy): boolean {
  if (policy.overwrite_policy === 'empty_only') return false
  return confidence >= roundConfidence(previous) || isRefreshable(setAt, policy)
}

/** The database stores confidences in single precision. */
const roundConfidence = (confidence: number): number => Math.round(confidence * 1e6) / 1e6

const isRefreshable = (setAt: Date, { isForced, overwrite_policy, refresh_after_days, now }: WritePolicy): boolean =>
  overwrite_policy !== 'empty_only' && (isForced || daysLater(setAt, refresh_after_days) <= now)

/** Whether a provider should be asked for the field: a value that only a user may change is not worth credits. */
export function isWorthLookup({ value, provenance }: FieldFact, policy: WritePolicy): boolean {
  if (value === null) return provenance?.source !== 'human' || policy.overwrite_policy === 'always'
  if (provenance?.source === 'enrichment') return isRefreshable(provenance.set_at, policy)
  return policy.overwrite_policy === 'always'
}

const isSameValue = (field: string, left: unknown, right: unknown): boolean =>
  comparableOf(field, left) === comparableOf(field, right)

/** Ignores case, and scheme, www and trailing slashes of URLs, because such differences are not worth a suggestion. */
export function comparableOf(field: string, value: unknown): string {
  if (typeof value !== 'string') return canonicalJson(value)
  const text = value.trim().toLowerCase()
  const isUrl = field === 'website' || field === 'linkedin_url'
  return canonicalJson(isUrl ? trimEndOf(text.replace(/^https?:\/\//, '').replace(/^www\./, ''), /\//) : text)
}
