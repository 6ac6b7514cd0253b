/** Lists each name as often as its weight says, for a random choice. */
export const toWeightedNames = <Name extends string>(weights: Record<Name, number>): Name[] =>
  (Object.entries(weights) as [Name, number][]).flatMap(([name, weight]) => Array<Name>(weight).fill(name))
