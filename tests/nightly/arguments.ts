import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

const maxSeed = 2 ** 31 - 1

export type NightlyArguments = { seed: number; only: string[] }

/** Reads `--seed 7 --only fuzz,races`. Without a seed every run tries other random values. */
export function readArguments(args: string[]): NightlyArguments {
  const options = { seed: { type: 'string' }, only: { type: 'string', default: '' } } as const
  const { seed: text, only } = parseArgs({ args, options }).values
  const seed = text === undefined ? randomInt(1, maxSeed) : Number(text)
  if (!Number.isInteger(seed) || seed < 1 || seed > maxSeed)
    throw new Error(`--seed must be a whole number from 1 to ${maxSeed}.`)
  return { seed, only: only.split(',').filter(Boolean) }
}
