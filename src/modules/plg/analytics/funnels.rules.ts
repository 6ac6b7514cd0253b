import { invalid } from '#platform/errors'
import type { FunnelCounts } from '../usage-store/usage-store.ts'
import { rateOf } from './dashboard.rules.ts'
import type { UsageFunnel } from './funnels.schemas.ts'

export function parseSteps(text: string): string[] {
  const steps = text.split(',').map((step) => step.trim())
  const reject = (code: string, message: string) => invalid('query', '/steps', code, message)
  if (steps.length < 2 || steps.length > 10)
    throw reject('length', '`steps` must have two to ten event names, separated by commas.')
  if (steps.some((step) => step === '' || step.length > 100))
    throw reject('format', '`steps` must not contain an empty name or one with more than 100 characters.')
  return steps
}

export function toFunnelSteps(
  names: readonly string[],
  counts: readonly FunnelCounts[],
  known: ReadonlySet<string>,
): UsageFunnel['steps'] {
  const first = counts[0]!.count
  return counts.map((counted, index) => {
    const before = counts[index - 1]?.count ?? first
    const isFirst = index === 0
    return {
      step: index + 1,
      name: names[index]!,
      known: known.has(names[index]!),
      ...counted,
      step_rate: isFirst && first > 0 ? 1 : rateOf(counted.count, before),
      total_rate: rateOf(counted.count, first),
      dropped: before - counted.count,
    }
  })
}
