import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FileUsage, processPart, secondsOfUsage } from '../groups/file-meter.ts'
import { referencePart } from '../groups/reference-work.ts'

const fixedCounts = ['files', 'applications', 'databases'] as const
/** Depend on the speed of the machine, because a test that waits for a value reads it repeatedly. */
const workCounts = ['requests', 'statements', 'rows'] as const
type Count = (typeof fixedCounts)[number] | (typeof workCounts)[number]

/** The most that the test files of a folder may use, and their usual processor time in seconds. */
export type Budget = Record<Count | 'seconds', number>

export type Budgets = {
  processes: number
  /** Processor time of the reference work on the machine where the seconds were measured. */
  referenceSeconds: number
  /** Usual processor time of the start and the end of a test process. */
  startSeconds: number
  /** Usual processor time of all test processes, their starts included. */
  totalSeconds: number
  /** The most files that a GET and a POST of a lead may run. */
  walk: { read: number; write: number }
  parts: Record<string, Budget>
  /** Test files that may take more than 6 seconds of processor time, with the reason. */
  longFiles: Record<string, string>
}

export type PartUsage = Budget & { part: string; fileUsages: FileUsage[] }

export const readBudgets = (root: string): Budgets => JSON.parse(readFileSync(join(root, 'tests/budgets.json'), 'utf8'))

/** Sums the usage of test files by the folder with the longest matching path. */
export function sumUsage(budgets: Budgets, usages: readonly FileUsage[]): PartUsage[] {
  const paths = Object.keys(budgets.parts).sort((one, other) => other.length - one.length)
  const partOf = (file: string) =>
    paths.find((path) => file.startsWith(path)) ?? `${file.split('/').slice(0, -1).join('/')}/`
  const ofFiles = usages.filter(isTestFile)
  const byPart = Object.groupBy(ofFiles, ({ file }) => partOf(file))
  return Object.entries(byPart).map(([part, fileUsages = []]) => ({
    part,
    fileUsages,
    files: fileUsages.length,
    applications: sum(fileUsages, 'applications'),
    databases: sum(fileUsages, 'databases'),
    requests: sum(fileUsages, 'requests'),
    statements: sum(fileUsages, 'statements'),
    rows: sum(fileUsages, 'rows'),
    seconds: Math.round(sumSeconds(fileUsages)),
  }))
}

const isTestFile = ({ file }: FileUsage): boolean => file !== processPart && file !== referencePart

const sum = (usages: readonly FileUsage[], metric: Exclude<keyof FileUsage, 'file'>) =>
  usages.reduce((total, usage) => total + usage[metric], 0)

/** Returns the processor time of test files. */
export const sumSeconds = (usages: readonly FileUsage[]): number =>
  usages.reduce((total, usage) => total + secondsOfUsage(usage), 0)

/** Returns one message per exceeded count of files, applications, databases or processes, with the files to look at. */
export function listExceededBudgets(budgets: Budgets, usages: readonly FileUsage[], processes: number): string[] {
  const exceeded = sumUsage(budgets, usages).flatMap((usage) =>
    budgets.parts[usage.part]
      ? listExceededCounts(budgets, usage, fixedCounts)
      : [`${usage.part} has no budget. Add a line for it to tests/budgets.json.`],
  )
  return processes <= budgets.processes
    ? exceeded
    : [
        ...exceeded,
        `The build has ${processes} test processes, its budget is ${budgets.processes}. See tests/groups/groups.ts.`,
      ]
}

/** Returns one message per exceeded count of requests, statements or rows, with the files to look at. */
export const listExceededWork = (budgets: Budgets, usages: readonly FileUsage[]): string[] =>
  sumUsage(budgets, usages).flatMap((usage) => listExceededCounts(budgets, usage, workCounts))

function listExceededCounts({ parts }: Budgets, usage: PartUsage, counts: readonly Count[]): string[] {
  const budget = parts[usage.part]
  if (!budget) return []
  return counts.filter((count) => usage[count] > budget[count]).map((count) => describeExcess(usage, budget, count))
}

function describeExcess(usage: PartUsage, budget: Budget, count: Count): string {
  const limit = `${usage.part} uses ${usage[count]} ${count}, its budget is ${budget[count]}.`
  const remedy = 'Reduce them, or decide to raise the line in tests/budgets.json.'
  if (count === 'files')
    return `${limit} Add tests to existing files, or decide to raise the line in tests/budgets.json.`
  const most = usage.fileUsages.toSorted((one, other) => other[count] - one[count]).slice(0, 3)
  return `${limit} Most: ${most.map((one) => `${one.file} (${one[count]})`).join(', ')}. ${remedy}`
}

/** Returns the files that take long without a reason in the budgets, which are those to look at first. */
export function listLongFiles(budgets: Budgets, usages: readonly FileUsage[]): string[] {
  const limit = maxFileSeconds * compareSpeed(budgets, usages)
  return usages
    .filter((usage) => isTestFile(usage) && !inBrowser.test(usage.file) && !budgets.longFiles[usage.file])
    .filter((usage) => secondsOfUsage(usage) > limit)
    .map((usage) => `${usage.file} took ${Math.round(secondsOfUsage(usage))} s of processor time.`)
}

const maxFileSeconds = 6
const inBrowser = /^tests\/(?:web|pages)\//

/** Returns the parts that took 1.3 times their usual processor time, measured in the reference work of the same run. */
export function listSlowParts(budgets: Budgets, usages: readonly FileUsage[]): string[] {
  const speed = compareSpeed(budgets, usages)
  return sumUsage(budgets, usages).flatMap(({ part, seconds }) => {
    const usual = (budgets.parts[part]?.seconds ?? Number.POSITIVE_INFINITY) * speed
    return seconds > usual * 1.3 + 5
      ? [`${part} took ${seconds} s of processor time instead of ${Math.round(usual)} s.`]
      : []
  })
}

/** Returns a line for each part with its processor time in this run and the usual one at the speed of this machine. */
export function formatSeconds(budgets: Budgets, usages: readonly FileUsage[]): string {
  const speed = compareSpeed(budgets, usages)
  const rows = Object.entries(budgets.parts).map(([part, { seconds }]) => [part, seconds * speed] as const)
  const used = new Map(sumUsage(budgets, usages).map(({ part, seconds }) => [part, seconds]))
  const ofProcesses = sumSeconds(usages.filter(({ file }) => file === processPart))
  const lines = rows.map(([part, usual]) => formatLine(part, used.get(part) ?? 0, usual))
  const starts = formatLine('start and end of processes', ofProcesses, budgets.processes * budgets.startSeconds * speed)
  return [
    'Processor seconds of the test processes, and the usual ones at the speed of this machine:',
    ...lines,
    starts,
    formatLine('sum', sumSeconds(usages), budgets.totalSeconds * speed),
  ].join('\n')
}

const formatLine = (name: string, used: number, usual: number): string =>
  `${used.toFixed(0).padStart(8)}${usual.toFixed(0).padStart(8)}  ${name}`

/** Returns a message if the processor time of all parts is more than usual, by more than the difference between two runs. */
export function listExceededTotal(budgets: Budgets, usages: readonly FileUsage[]): string[] {
  const total = sumSeconds(usages)
  const limit = budgets.totalSeconds * growth * compareSpeed(budgets, usages)
  return total <= limit
    ? []
    : [`The tests took ${Math.round(total)} s of processor time, at most ${Math.round(limit)} s are planned.`]
}

/** A feature that adds more removes as much in the same change. */
const growth = 1.15

/** Returns how much longer the reference work takes than on the machine where the seconds were measured. */
function compareSpeed({ referenceSeconds }: Budgets, usages: readonly FileUsage[]): number {
  const measured = usages.filter(({ file }) => file === referencePart).map(({ node }) => node)
  const median = measured.sort((one, other) => one - other)[Math.floor(measured.length / 2)]
  return (median ?? referenceSeconds) / referenceSeconds
}
