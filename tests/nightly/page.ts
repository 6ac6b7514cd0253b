import { stripVTControlCharacters } from 'node:util'

export type PartResult = {
  name: string
  command: string
  outcome: 'passed' | 'failed' | 'timed out'
  wallSeconds: number
  /** Undefined on systems that do not report it. */
  processorSeconds: number | undefined
  output: string
}

const shownLines = 30

/** Formats the results as one page of Markdown: a table and, for every failure, its last lines and how to repeat it. */
export function formatPage(
  results: readonly PartResult[],
  { seed, startedAt }: { seed: number; startedAt: Date },
): string {
  const failures = results.filter(({ outcome }) => outcome !== 'passed')
  const summary = failures.length ? `${failures.length} of ${results.length} parts failed` : 'All parts passed'
  const total = {
    wall: sumOf(results.map(({ wallSeconds }) => wallSeconds)),
    processor: sumOf(results.map(({ processorSeconds }) => processorSeconds ?? 0)),
  }
  const lines = [
    `# Nightly run of ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    '',
    `${summary}. Seed ${seed}.`,
    '',
    '| part | result | wall time | processor time |',
    '| --- | --- | ---: | ---: |',
    ...results.map(
      ({ name, outcome, wallSeconds, processorSeconds }) =>
        `| ${name} | ${outcome} | ${formatSeconds(wallSeconds)} | ${formatSeconds(processorSeconds)} |`,
    ),
    `| total | | ${formatSeconds(total.wall)} | ${formatSeconds(total.processor)} |`,
    ...failures.flatMap(formatFailure),
  ]
  return `${lines.join('\n')}\n`
}

function formatFailure({ name, command, outcome, output }: PartResult): string[] {
  const lines = stripVTControlCharacters(output).trimEnd().split('\n').slice(-shownLines)
  return ['', `## ${name} ${outcome}`, '', `Repeat with: \`${command}\``, '', ...lines.map((line) => `    ${line}`)]
}

function formatSeconds(seconds: number | undefined): string {
  if (seconds === undefined) return 'unknown'
  const rounded = Math.round(seconds)
  return `${Math.floor(rounded / 60)}:${String(rounded % 60).padStart(2, '0')}`
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)
