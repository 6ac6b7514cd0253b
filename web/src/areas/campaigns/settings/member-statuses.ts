import { campaignSettingsTexts as texts } from '../../../texts/en/campaign-settings-texts.ts'
import type { MemberStatus } from '../campaign-queries.ts'

/** A row of the form. A new status has no key yet. */
export type StatusRow = { id: number; key: string | null; label: string; isResponse: boolean }

export const toRows = (statuses: readonly MemberStatus[]): StatusRow[] =>
  statuses.map(({ key, label, is_response }, id) => ({ id, key, label, isResponse: is_response }))

export function moveRow(rows: readonly StatusRow[], from: number, to: number): StatusRow[] {
  const moved = rows.toSpliced(from, 1)
  return to < 0 || to > moved.length ? [...rows] : moved.toSpliced(to, 0, rows[from]!)
}

const longestKey = 40

/** The statuses of the rows. The key of a new one is made of its label and not used by another one. */
export function toStatuses(rows: readonly StatusRow[]): MemberStatus[] {
  const taken = new Set(rows.flatMap(({ key }) => key ?? []))
  return rows.map(({ key, label, isResponse }) => {
    const name = label.trim()
    return { key: key ?? createKey(name, taken), label: name, is_response: isResponse }
  })
}

function createKey(label: string, taken: Set<string>): string {
  const plain = label
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .replace(/_$/, '')
    .slice(0, longestKey - 3)
  const base = plain || 'status'
  let key = base
  for (let number = 2; taken.has(key); number++) key = `${base}_${number}`
  taken.add(key)
  return key
}

/** Says what is wrong with the rows; undefined if nothing is. */
export function findProblem(rows: readonly StatusRow[]): string | undefined {
  const labels = rows.map(({ label }) => label.trim().toLowerCase())
  if (labels.includes('')) return texts.needsLabel
  if (new Set(labels).size < labels.length) return texts.twice
  if (rows.length < 2) return texts.needsTwo
  return rows.some(({ isResponse }) => isResponse) ? undefined : texts.needsResponse
}
