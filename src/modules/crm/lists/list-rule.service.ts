import type { SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import type { Services } from '#platform/module'
import { requireRule } from '../rules/parse-rule.rules.ts'
import type { Rule } from '../rules/rule.rules.ts'
import type { Asker, Vocabulary } from '../rules/vocabulary.rules.ts'
import { baseCurrencyOf, timezoneOf } from '../settings/crm-settings.queries.ts'

/** `written` is the rule as it came, by which one list is told from another. */
export type AskedRule = { rule: Rule; asker: Asker; written: string }

/** The rule in the query of a list, and who asks it. */
export async function readListRule(
  tx: TenantTx,
  { userId }: SignedIn,
  written: string | undefined,
  words: Pick<Vocabulary, 'objectType' | 'fields'>,
  { clock, registry }: Pick<Services, 'clock' | 'registry'>,
): Promise<AskedRule | undefined> {
  if (written === undefined) return undefined
  const vocabulary = { ...words, facts: registry.ruleFacts, currency: await baseCurrencyOf(tx) }
  const rule = requireRule(parseJson(written), vocabulary, { in: 'query', path: '/filter' })
  return { rule, asker: { now: clock.now(), timezone: await timezoneOf(tx), me: userId }, written }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('query', '/filter', 'json', 'Give the rule as JSON, URL-encoded.')
  }
}
