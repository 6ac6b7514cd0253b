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

type Block = { length: number; lines: number; brackets: number; longestRow: number }

const isBlank = /^[ \t\r]*$/

/** Returns upper bounds: a paragraph or table ends with a blank line at the latest. */
export function costOf(source: string): TextCost {
  const cost: TextCost = { characters: source.length, brackets: 0, bracketSteps: 0, cells: 0 }
  let block = emptyBlock()
  for (const line of source.split('\n')) {
    if (isBlank.test(line)) {
      addBlock(cost, block)
      block = emptyBlock()
      continue
    }
    block.length += line.length + 1
    block.lines++
    block.brackets += countCharacter(line, '[')
    block.longestRow = Math.max(block.longestRow, countCharacter(line, '|'))
  }
  addBlock(cost, block)
  return cost
}

const emptyBlock = (): Block => ({ length: 0, lines: 0, brackets: 0, longestRow: 0 })

function addBlock(cost: TextCost, { length, lines, brackets, longestRow }: Block): void {
  cost.brackets += brackets
  cost.bracketSteps += brackets * length
  cost.cells += longestRow ? (longestRow + 1) * lines : 0
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
