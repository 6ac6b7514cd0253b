import { readChildren, readProcess } from './processor-time.ts'

type Kind = 'browser' | 'other'

/** A process that was started by this one, directly or not, with the seconds of its last reading. */
type Descendant = { parent: string; kind: Kind; own: number; waited: number; isRunning: boolean }

const self = 'self'

/**
 * Sums the processor time of all processes that this one has started, directly or not. The system adds the time of a process only to a
 * parent that waits for it, which the parts of a browser do not do, so each process is read repeatedly and its last reading is kept.
 */
export function createTreeMeter() {
  const descendants = new Map<string, Descendant>()

  const visit = (pid: string, parent: string, kind: Kind) => {
    for (const child of readChildren(pid)) {
      const process = readProcess(child)
      if (!process) continue
      const id = `${child} ${process.startedAt}`
      const childKind = /chrom|headless/.test(process.name) ? 'browser' : kind
      const { own, waited } = process
      descendants.set(id, {
        parent: descendants.get(id)?.parent ?? parent,
        kind: childKind,
        own,
        waited,
        isRunning: true,
      })
      visit(child, id, childKind)
    }
  }

  return {
    read(): Record<Kind, number> {
      for (const descendant of descendants.values()) descendant.isRunning = false
      visit(self, self, 'other')
      return sumByKind(descendants, readProcess(self)?.waited ?? 0)
    },
  }
}

/** Adds what ended processes used after their last reading, and processes that were never read: a parent has waited for both. */
function sumByKind(descendants: ReadonlyMap<string, Descendant>, waitedBySelf: number): Record<Kind, number> {
  const sums = { browser: 0, other: 0 }
  const unread = new Map([[self, waitedBySelf]])
  for (const [id, { kind, own, waited }] of descendants) {
    sums[kind] += own
    unread.set(id, (unread.get(id) ?? 0) + waited)
  }
  for (const { parent, own, waited, isRunning } of descendants.values())
    if (!isRunning) unread.set(parent, (unread.get(parent) ?? 0) - own - waited)
  for (const [id, seconds] of unread) sums[descendants.get(id)?.kind ?? 'other'] += Math.max(seconds, 0)
  return sums
}
