export type GroupedChoice = { id: string | null; label: string; group: string; hint?: string }

const toPlain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** The choices whose label has all words of the text; those that begin with it come first within their group. */
export function filterChoices(choices: readonly GroupedChoice[], text: string): readonly GroupedChoice[] {
  const words = toPlain(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return choices
  const found = choices.filter(({ label }) => words.every((word) => toPlain(label).includes(word)))
  const rank = ({ label }: GroupedChoice) => Number(!toPlain(label).startsWith(words[0]!))
  return [...Map.groupBy(found, ({ group }) => group).values()].flatMap((group) =>
    group.toSorted((one, other) => rank(one) - rank(other)),
  )
}
