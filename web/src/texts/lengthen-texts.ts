/** Lets tests recognize a word of a text. No record contains it. */
export const marker = 'ñ'

const share = 0.4

/** Makes each word longer by the share, as languages with long words do. A word that is already longer stays. */
export const lengthen = (text: string): string =>
  text.replaceAll(/\p{L}+/gu, (word) =>
    word.includes(marker) ? word : word + marker.repeat(Math.ceil(word.length * share)),
  )

/** Lengthens the texts of a module. What a function gets as an argument, such as a name, stays as it is. */
export function lengthenTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return lengthen(value) as Value
  if (typeof value === 'function') return ((...parts: unknown[]) => lengthenAround(value(...parts), parts)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, lengthenTexts(text)])) as Value
}

function lengthenAround(text: unknown, parts: readonly unknown[]): unknown {
  if (typeof text !== 'string') return text
  const [part, ...others] = parts.filter((one) => typeof one === 'string' && one !== '') as string[]
  if (part === undefined) return lengthen(text)
  return text
    .split(part)
    .map((between) => lengthenAround(between, others))
    .join(part)
}
