/** Evaluates rules from their JSON over plain objects, independently of the parser, the SQL compiler and the memory evaluator. */
export type PlainActivity = { type: string; direction: string; day: number }
export type PlainDeal = { kind: string; stage_key: string; euros: number | null; day: number; isDeleted: boolean }
export type PlainUsage = { name: string; day: number; events: number }
export type PlainRecord = {
  id: string
  values: Readonly<Record<string, unknown>>
  activities: PlainActivity[]
  deals: PlainDeal[]
  usage: PlainUsage[]
}
type Node = Record<string, unknown>
type UsageParams = { event?: string; min_events?: number; min_days?: number; window_days?: number }
type ActivityParams = { types: string[]; direction?: string; min?: number; max?: number; within_days?: number }
type DealParams = { kinds?: string[]; stage_keys?: string[]; min_amount?: { amount: string }; within_days?: number }

export function satisfies(node: Node, record: PlainRecord): boolean {
  if (Array.isArray(node.all)) return (node.all as Node[]).every((part) => satisfies(part, record))
  if (Array.isArray(node.any)) return (node.any as Node[]).some((part) => satisfies(part, record))
  if (node.not) return !satisfies(node.not as Node, record)
  if (node.fact === 'activity') return hasActivities(node, record.activities)
  if (node.fact === 'opportunity') return record.deals.some((deal) => isDeal(node, deal))
  if (node.fact === 'product_usage') return hasUsage(node, record.usage)
  return hasValue(node, record.values[node.field as string] ?? null)
}

function hasActivities(fact: Node, activities: readonly PlainActivity[]): boolean {
  const { types, direction, min = 1, max = Number.POSITIVE_INFINITY, within_days } = fact as ActivityParams
  let found = 0
  for (const activity of activities) {
    if (!types.includes(activity.type)) continue
    if (direction !== undefined && activity.direction !== direction) continue
    if (within_days !== undefined && activity.day < -within_days) continue
    found++
  }
  return found >= min && found <= max
}

function hasUsage(fact: Node, usage: readonly PlainUsage[]): boolean {
  const { event, min_events = 1, min_days = 0, window_days = 30 } = fact as UsageParams
  const matching = usage.filter(({ name, day }) => (event === undefined || name === event) && day > -window_days)
  const events = matching.reduce((total, one) => total + one.events, 0)
  return events >= min_events && new Set(matching.map(({ day }) => day)).size >= min_days
}

function isDeal(fact: Node, deal: PlainDeal): boolean {
  const { kinds, stage_keys, min_amount, within_days } = fact as DealParams
  if (deal.isDeleted) return false
  if (kinds && !kinds.includes(deal.kind)) return false
  if (stage_keys && !stage_keys.includes(deal.stage_key)) return false
  if (min_amount && (deal.euros === null || deal.euros < Number(min_amount.amount))) return false
  return within_days === undefined || deal.day >= -within_days
}

const fold = (text: unknown) => String(text).toLowerCase()
const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{Mark}/gu, '')

function hasValue({ op, value }: Node, actual: unknown): boolean {
  const isEmpty = actual === null || actual === '' || (Array.isArray(actual) && actual.length === 0)
  const list = (Array.isArray(value) ? value : [value]) as never[]
  const number = (input: unknown) =>
    typeof input === 'object' ? Number((input as { amount: string }).amount) : Number(input)
  switch (op) {
    case 'is_set':
      return !isEmpty
    case 'is_not_set':
      return isEmpty
    case 'is':
      return (actual === true) === value
    case 'eq':
      return !isEmpty && (typeof actual === 'number' ? actual === number(value) : fold(actual) === fold(value))
    case 'neq':
      return isEmpty || (typeof actual === 'number' ? actual !== number(value) : fold(actual) !== fold(value))
    case 'in':
      return !isEmpty && list.some((one) => fold(actual) === fold(one))
    case 'not_in':
      return isEmpty || !list.some((one) => fold(actual) === fold(one))
    case 'starts_with':
      return !isEmpty && fold(actual).indexOf(fold(value)) === 0
    case 'contains':
      return !isEmpty && fold(actual).indexOf(fold(value)) >= 0
    case 'not_contains':
      return isEmpty || fold(actual).indexOf(fold(value)) < 0
    case 'has_any_word':
      return (
        !isEmpty &&
        withoutAccents(fold(actual))
          .split(/[^a-z]+/)
          .some((word) => list.some((one) => fold(one) === word))
      )
    case 'gt':
      return !isEmpty && (actual as number) > number(value)
    case 'lte':
      return !isEmpty && (actual as number) <= number(value)
    case 'between':
      return !isEmpty && (actual as number) >= number(list[0]) && (actual as number) <= number(list[1])
    case 'contains_any':
      return !isEmpty && list.some((one) => (actual as unknown[]).includes(one))
    case 'contains_all':
      return !isEmpty && list.every((one) => (actual as unknown[]).includes(one))
    case 'contains_none':
      return isEmpty || !list.some((one) => (actual as unknown[]).includes(one))
    case 'in_last_days':
      return typeof actual === 'number' && actual <= 0 && actual >= -Number(value)
    case 'more_than_days_ago':
      return typeof actual === 'number' && actual < -Number(value)
    default:
      throw new Error(`Unknown operator ${op}`)
  }
}
