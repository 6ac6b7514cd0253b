import type { Refusal } from './parse-text.ts'

const maxCharacters = 100_000
const maxBrackets = 2_000
const maxBracketSteps = 40_000_000
const maxCells = 10_000

/** Measures of a text that decide how long it takes to parse. */
export type TextCost = {
  characters: number
  brackets: number
  /** Each bracket can cost a walk through the rest of its block. */
  bracketSteps: number
  /** A table fills up short rows, so this is the number of rows times that of the longest one. */
  cells: number
}

/** Returns upper bounds: a paragraph or table ends with a blank line at the latest. */
export function costOf(source: string): TextCost {
  const cost: TextCost = { characters: source.length, brackets: 0, bracketSteps: 0, cells: 0 }
  for (const block of source.split(/\n[ \t\r]*(?=\n)/)) {
    const brackets = countCharacter(block, '[')
    cost.brackets += brackets
    cost.bracketSteps += brackets * block.length
    cost.cells += block.includes('|') ? countCells(block) : 0
  }
  return cost
}

function countCells(block: string): number {
  const pipes = block.split('\n').map((line) => countCharacter(line, '|'))
  const longest = pipes.reduce((most, count) => Math.max(most, count), 0)
  return (longest + 1) * pipes.length
}

function countCharacter(text: string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++
  return count
}

/** Returns what is wrong with a text that would take too long to parse. */
export function checkBudget({ characters, brackets, bracketSteps, cells }: TextCost): Refusal | undefined {
  const limit = (maximum: number) => maximum.toLocaleString('en')
  if (characters > maxCharacters)
    return { code: 'maxLength', problem: `must not have more than ${limit(maxCharacters)} characters.` }
  if (brackets > maxBrackets)
    return { code: 'max_brackets', problem: `must not have more than ${limit(maxBrackets)} opening brackets.` }
  if (bracketSteps > maxBracketSteps)
    return { code: 'max_brackets', problem: 'must not have so many brackets in one paragraph. Divide it.' }
  if (cells > maxCells)
    return { code: 'max_cells', problem: `must not have tables with more than ${limit(maxCells)} cells.` }
  return undefined
}

/** Texts that take at most a few milliseconds are parsed at once. */
export const isCheap = ({ characters, brackets, cells }: TextCost): boolean =>
  characters <= 2_048 && brackets <= 20 && cells <= 200
