/** A value that a template can contain. */
export type TemplateValue = { key: string; label: string; group: string }

/** The values whose key or label contains what is typed, in the order of their groups. */
export function findValues(values: readonly TemplateValue[], typed: string): TemplateValue[] {
  const text = typed.toLowerCase()
  const groups = [...new Set(values.map(({ group }) => group))]
  const startsWithText = ({ key, label }: TemplateValue) => key.startsWith(text) || label.toLowerCase().startsWith(text)
  return values
    .filter(({ key, label }) => key.includes(text) || label.toLowerCase().includes(text))
    .toSorted(
      (one, other) =>
        groups.indexOf(one.group) - groups.indexOf(other.group) ||
        Number(startsWithText(other)) - Number(startsWithText(one)),
    )
}
