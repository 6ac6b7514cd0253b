/** A respondent as only the test knows them. Sets of respondents are bit masks of their numbers. */
export type Respondent = { mark: string; isPerson: boolean; channel: 'email' | 'link' }
export type Figure = { name: string; set: bigint }
/** Figures of one kind of value, such as scores: parts of a whole, of which the adversary may know what they contain. */
export type Division = { whole: Figure; parts: Figure[] }
/** A score of the open survey. The adversary knows that it is of some of those who had answered. */
export type Step = { set: bigint; candidates: bigint }

const maxParts = 7
const maxSets = 1_500

/** Finds a set of 1 to k - 1 persons, or of too few visitors, which a subtraction of shown figures reveals. */
export function findRevealed(
  respondents: readonly Respondent[],
  k: number,
  { divisions, steps }: { divisions: readonly Division[]; steps: readonly Step[] },
): string | undefined {
  const isRevealing = (set: bigint) => set !== 0n && !isLargeEnough(respondents, set, k)
  const sums = new Map(
    divisions.flatMap(({ whole, parts }) => unionsOf(whole, parts).map(({ set, name }) => [set, name])),
  )
  for (const [index, { set }] of steps.entries())
    for (const { set: earlier } of [{ set: 0n }, ...steps.slice(0, index)])
      if (isRevealing(set & ~earlier)) return `step ${index} less an earlier one`
  for (let round = 0; round < 2; round++)
    for (const [whole, wholeName] of [...sums])
      for (const [part, partName] of [...sums]) {
        if (part === whole || (part & ~whole) !== 0n) continue
        const rest = whole & ~part
        if (isRevealing(rest)) return `${wholeName} less ${partName}`
        if (sums.size < maxSets && !sums.has(rest)) sums.set(rest, `(${wholeName} less ${partName})`)
      }
  for (const [set, name] of sums) {
    if (isRevealing(set)) return name
    for (const [index, step] of steps.entries())
      if ((step.candidates & ~set) === 0n && isRevealing(set & ~step.set)) return `${name} less step ${index}`
  }
  return undefined
}

/** All sums of parts, also of those that are not shown, which are the whole less the others. */
function unionsOf(whole: Figure, parts: readonly Figure[]): Figure[] {
  const rest = parts.reduce((set, part) => set & ~part.set, whole.set)
  const all = [...parts, { name: 'the rest', set: rest }].slice(0, maxParts)
  let unions: Figure[] = [{ name: 'nothing', set: 0n }]
  for (const { name, set } of all)
    unions = [...unions, ...unions.map((other) => ({ name: `${other.name} + ${name}`, set: other.set | set }))]
  return [whole, ...unions.filter(({ set }) => set !== 0n)]
}

/** The adversary knows the answers that he gave himself: by the link and by addresses that belong to no contact or lead. */
function isLargeEnough(respondents: readonly Respondent[], set: bigint, k: number): boolean {
  const inSet = respondents.filter((_, index) => (set >> BigInt(index)) & 1n)
  const persons = inSet.filter(({ isPerson }) => isPerson).length
  return persons > 0 ? persons >= k : inSet.length >= k && inSet.every(({ channel }) => channel === 'link')
}
