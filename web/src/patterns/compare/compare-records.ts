/** Describes how a field of a record is shown. Null is an empty field. */
export type ComparedField<Item> = { key: string; label: string; textOf: (record: Item) => string | null }

export type Difference = {
  key: string
  label: string
  /** The values of both records as texts. */
  values: readonly [string | null, string | null]
}

/** The fields in which two records differ. */
export const listDifferences = <Item>(
  fields: readonly ComparedField<Item>[],
  [kept, other]: readonly [Item, Item],
): Difference[] =>
  fields.flatMap(({ key, label, textOf }) => {
    const values = [textOf(kept), textOf(other)] as const
    return values[0] === values[1] ? [] : [{ key, label, values }]
  })

/** The value of the first record is kept unless it is empty. */
export const defaultChoice = ({ values }: Difference): 0 | 1 => (values[0] === null ? 1 : 0)

/** The choices that differ from what is kept anyway, by the id of the record that has the value. */
export const toPreferences = (
  differences: readonly Difference[],
  choices: Readonly<Record<string, 0 | 1>>,
  ids: readonly [string, string],
): Record<string, string> =>
  Object.fromEntries(
    differences.flatMap((difference) => {
      const choice = choices[difference.key] ?? defaultChoice(difference)
      return choice === defaultChoice(difference) ? [] : [[difference.key, ids[choice]]]
    }),
  )
