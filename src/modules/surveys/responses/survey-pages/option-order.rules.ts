import { createHash } from 'node:crypto'

type ShuffledOption = { key: string; exclusive?: boolean }

/** Each respondent gets another order, and the same one on every page. Options such as “None of these” stay at the end. */
export function shuffleOptions<Option extends ShuffledOption>(options: readonly Option[], seed: string): Option[] {
  const places = new Map(
    options.map(({ key }) => [key, createHash('sha256').update(`${seed}/${key}`).digest('base64url')]),
  )
  return [...options].sort(
    (one, other) =>
      Number(one.exclusive ?? false) - Number(other.exclusive ?? false) ||
      (places.get(one.key)! < places.get(other.key)! ? -1 : 1),
  )
}
