const maxNames = 3
const maxLength = 60

/** Compares short names only, because the time grows with the length. */
export function nearestNames(unknown: string, known: readonly string[]): string[] {
  if (unknown.length > maxLength) return []
  const name = toSnakeCase(unknown)
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceBetween(name, toSnakeCase(candidate)) }))
    .filter(({ distance }) => distance !== undefined)
    .sort((a, b) => a.distance! - b.distance!)
  const best = ranked[0]?.distance
  return ranked
    .filter(({ distance }) => distance === best)
    .slice(0, maxNames)
    .map(({ candidate }) => candidate)
}

/** Names that other APIs use for a field or a parameter, in snake case. */
export type Synonyms = Record<string, readonly string[]>

const listSynonyms: Synonyms = {
  search: ['q', 'query', 'term', 'text', 'keyword', 'keywords', 'find'],
  sort: ['order', 'order_by', 'orderby', 'sort_by', 'sortby', 'sort_order', 'ordering'],
  limit: [
    'page_size',
    'pagesize',
    'per_page',
    'perpage',
    'size',
    'count',
    'max',
    'max_results',
    'top',
    'take',
    'first',
  ],
  offset: ['skip', 'page', 'start', 'from_index'],
  cursor: ['after', 'page_token', 'next', 'next_cursor', 'starting_after', 'next_page'],
  filter: ['where', 'filters', 'rule', 'rules'],
}

/** Returns ` Did you mean …?` for an unknown name, or an empty text. */
export function suggestNames(unknown: string, known: readonly string[], synonyms: Synonyms = listSynonyms): string {
  const spelling = toSnakeCase(unknown)
  const [meant] =
    Object.entries(synonyms).find(([name, others]) => known.includes(name) && others.includes(spelling)) ?? []
  const names = meant ? [meant] : nearestNames(unknown, known)
  return names.length ? ` Did you mean ${listAlternatives(names)}?` : ''
}

export function listAlternatives(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

const toSnakeCase = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-.]/g, '_')
    .toLowerCase()

/** 0 for the same name, 1 to 3 for typos, 4 if one name contains all words of the other, undefined if not similar. */
function distanceBetween(a: string, b: string): number | undefined {
  const maxTypos = Math.min(3, Math.floor(Math.max(a.length, b.length) / 3))
  const typos = Math.abs(a.length - b.length) <= maxTypos ? editDistance(a, b) : Number.POSITIVE_INFINITY
  if (typos <= maxTypos) return typos
  return containsWords(a, b) || containsWords(b, a) ? 4 : undefined
}

function containsWords(longer: string, shorter: string): boolean {
  const words = longer.split('_')
  return shorter.split('_').every((word) => words.includes(word))
}

/** Optimal string alignment distance: insertions, deletions, substitutions and swaps of adjacent characters. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const [previous, beforePrevious] = [rows[i - 1]!, rows[i - 2]]
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const isSwap = beforePrevious && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? beforePrevious[j - 2]! + 1 : Number.POSITIVE_INFINITY
      row[j] = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + cost, swapped)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
